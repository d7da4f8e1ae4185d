"""What exists: bodies, frames, joints, forces, contacts, constraints, sensors; and where we are."""
