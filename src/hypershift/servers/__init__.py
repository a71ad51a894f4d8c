"""Servers that machines and people talk to."""
