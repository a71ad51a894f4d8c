"""Proxies beside a container that lead into the hosted network through konnectivity."""
