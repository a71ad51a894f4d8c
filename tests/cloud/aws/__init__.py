"""AWS for tests: moto's server with what it lacks, and faults in front of it."""
