"""Simulation, real servers and builders for tests; imported by tests alone."""
