"""Node pools in the simulation: their controllers, a Cluster API, a user, and what must hold."""
