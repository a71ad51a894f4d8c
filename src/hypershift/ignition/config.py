"""Ignition 3.2 configuration as frozen values, and short ways to build them.

What a machine of ours cannot honour (disks, RAID, LUKS, file systems, passwords, groups, kernel
arguments) has no field here, so that decoding refuses it by name instead of dropping it in silence.
"""

from typing import Annotated, Final

import msgspec

from hypershift.ignition.resource import Resource, Value, inline

VERSION: Final = "3.2.0"

Mode = Annotated[int, msgspec.Meta(ge=0, le=0o7777)]
UnitName = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[A-Za-z0-9:_.\\@-]+\.(service|target|slice|timer|socket|mount|path|swap|automount)$"
    ),
]
DropinName = Annotated[str, msgspec.Meta(pattern=r"^[^/]+\.conf$")]
UserName = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z_][A-Za-z0-9_-]{0,31}$")]


class Owner(Value, frozen=True, kw_only=True):
    """A user or group of the machine, by id or name."""

    id: int | None = None
    name: str | None = None


class Node(Value, frozen=True, kw_only=True):
    """What files, directories and links share; one path is one node."""

    path: str
    overwrite: bool | None = None
    user: Owner = Owner()
    group: Owner = Owner()


class File(Node, frozen=True, kw_only=True):
    """A file; without contents it is made when missing, and `append` adds to it."""

    contents: Resource = Resource()
    append: tuple[Resource, ...] = ()
    mode: Mode | None = None


class Directory(Node, frozen=True, kw_only=True):
    """A directory."""

    mode: Mode | None = None


class Link(Node, frozen=True, kw_only=True):
    """A symbolic link, or a hard one."""

    target: str
    hard: bool | None = None


class Storage(Value, frozen=True, kw_only=True):
    """What the disk shall hold."""

    directories: tuple[Directory, ...] = ()
    files: tuple[File, ...] = ()
    links: tuple[Link, ...] = ()


class Dropin(Value, frozen=True, kw_only=True):
    """A fragment that changes a unit."""

    name: DropinName
    contents: str | None = None


class Unit(Value, frozen=True, kw_only=True):
    """A systemd unit."""

    name: UnitName
    contents: str | None = None
    dropins: tuple[Dropin, ...] = ()
    enabled: bool | None = None
    mask: bool | None = None


class Systemd(Value, frozen=True, kw_only=True):
    """The units."""

    units: tuple[Unit, ...] = ()


class User(Value, frozen=True, kw_only=True):
    """A user, who may log in with these keys."""

    name: UserName
    ssh_authorized_keys: tuple[str, ...] = ()


class Passwd(Value, frozen=True, kw_only=True):
    """The users."""

    users: tuple[User, ...] = ()


class Tls(Value, frozen=True, kw_only=True):
    """Authorities to trust, beside the system's, when sources are fetched."""

    certificate_authorities: tuple[Resource, ...] = ()


class Security(Value, frozen=True, kw_only=True):
    """How sources are fetched safely."""

    tls: Tls = Tls()


class References(Value, frozen=True, kw_only=True):
    """Other configurations: `replace` takes this one's place, `merge` is laid over it in order."""

    merge: tuple[Resource, ...] = ()
    replace: Resource = Resource()


class Proxy(Value, frozen=True, kw_only=True):
    """The proxies through which sources are fetched."""

    http_proxy: str | None = None
    https_proxy: str | None = None
    no_proxy: tuple[str, ...] = ()


class Timeouts(Value, frozen=True, kw_only=True):
    """How long one attempt to fetch may take, in seconds; a total of 0 has no end."""

    http_response_headers: int | None = None
    http_total: int | None = None


class Ignition(Value, frozen=True, kw_only=True):
    """What concerns the configuration itself."""

    version: str = VERSION
    config: References = References()
    proxy: Proxy = Proxy()
    security: Security = Security()
    timeouts: Timeouts = Timeouts()


class Config(Value, frozen=True, kw_only=True):
    """A whole configuration."""

    ignition: Ignition = Ignition()
    passwd: Passwd = Passwd()
    storage: Storage = Storage()
    systemd: Systemd = Systemd()


def file(path: str, contents: str | bytes, mode: int = 0o644, *, compress: bool = False) -> File:
    """A file with these contents, in the place of whatever the image has there.

    An empty compression is said aloud: merging goes field by field, so that a file laid over a
    compressed one would else inherit its compression.
    """
    raw = contents.encode() if isinstance(contents, str) else contents
    resource = inline(raw, compress=compress)
    spoken = msgspec.structs.replace(resource, compression=resource.compression or "")
    return File(path=path, contents=spoken, mode=mode, overwrite=True)


def directory(path: str, mode: int = 0o755) -> Directory:
    """A directory."""
    return Directory(path=path, mode=mode)


def unit(name: str, contents: str, *, enabled: bool = True) -> Unit:
    """A unit that is started at boot by default."""
    return Unit(name=name, contents=contents, enabled=enabled)


def pointer(source: Resource, authorities: tuple[bytes, ...] = ()) -> Config:
    """A configuration that only says where the real one is, and whom to trust in fetching it."""
    security = Security(tls=Tls(certificate_authorities=tuple(inline(ca) for ca in authorities)))
    return Config(ignition=Ignition(config=References(merge=(source,)), security=security))
