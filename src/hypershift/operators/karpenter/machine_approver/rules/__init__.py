"""Whose request is approved: pure."""
