"""What every machine of a control plane is configured by, whatever its pool: keys of users."""

from hypershift.ignition.config import Config, Passwd, User

#: The user of CoreOS.
CORE = "core"


def ssh_keys(key: str) -> Config:
    """Let the owner of a key log in to machines."""
    keys = tuple(line for line in (part.strip() for part in key.splitlines()) if line)
    return Config(passwd=Passwd(users=(User(name=CORE, ssh_authorized_keys=keys),)))
