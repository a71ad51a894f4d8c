"""The supervisor's own controllers: routes, balancer addresses, volumes, dead nodes."""

from hypershift.local.controllers.run import Controllers, await_rights

__all__ = ["Controllers", "await_rights"]
