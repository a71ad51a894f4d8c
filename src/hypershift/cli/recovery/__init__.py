"""Bring hosted clusters back from a backup, here or on another management cluster."""
