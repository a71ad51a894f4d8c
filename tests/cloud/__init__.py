"""Clouds for tests, on this machine."""
