"""Operators, one folder each, one per controller in it."""
