"""Laws of twins: one state has the interpreter's bits, or where products fuse those of a row of a batch."""
