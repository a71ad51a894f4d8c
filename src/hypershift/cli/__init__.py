"""The programs `hypershift` and `hcp`."""

from hypershift.cli.main import main

__all__ = ["main"]
