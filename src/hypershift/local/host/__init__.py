"""What a cluster uses of its host: requirements, ports, programs, names, shared records."""
