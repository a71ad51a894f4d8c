"""The supervisor's own controllers: routes, balancer addresses, volumes, dead nodes."""

from hypershift.local.controllers.run import Controllers

__all__ = ["Controllers"]
