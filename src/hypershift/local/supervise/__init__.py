"""The process that keeps a cluster running: its units, machines, network rules and controllers."""
