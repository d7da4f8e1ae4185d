"""Inverse kinematics within joint limits."""
