"""Thin clients of cloud APIs, one folder per cloud, for platforms and infrastructure."""
