"""A simulated API server, faults, and schedules that repeat themselves byte for byte."""
