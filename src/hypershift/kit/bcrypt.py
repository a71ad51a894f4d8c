"""bcrypt, by which OpenShift's OAuth server checks the first administrator's password."""

from functools import lru_cache

import bcrypt

#: The cost that Go takes by itself, and the largest that a pass waits for.
COST, MOST = 10, 12
#: What lies beyond has never counted.
LONGEST = 72


def hashed(password: bytes) -> str:
    """A hash of a password, with a salt of its own."""
    return bcrypt.hashpw(password[:LONGEST], bcrypt.gensalt(COST)).decode()


@lru_cache(maxsize=1024)
def matches(found: str, password: bytes) -> bool:
    """True if `found` is a hash of the password; what costs too much to check is not."""
    cost = found[4:6]
    if not (cost.isascii() and cost.isdigit() and int(cost) <= MOST):
        return False
    try:
        return bcrypt.checkpw(password[:LONGEST], found.encode())
    except ValueError:
        return False
