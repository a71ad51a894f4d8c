"""One thing that a tenant tries: it returns what it gained; nothing is right."""

from collections.abc import Callable

from tests.soak.party import Party

Attempt = Callable[[Party, Party], str]
