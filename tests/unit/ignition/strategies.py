"""Configurations of every shape, for promises that hold for all of them."""

from hypothesis import strategies as st

from hypershift.ignition import (
    Config,
    Directory,
    Dropin,
    File,
    Header,
    Ignition,
    Link,
    Owner,
    Passwd,
    References,
    Resource,
    Security,
    Storage,
    Systemd,
    Tls,
    Unit,
    User,
    data_url,
)

#: Four names and short lists: two configurations often speak of the same thing.
NAMES = st.sampled_from(["a", "b", "c", "d"])
FLAGS = st.sampled_from([None, True, False])
MODES = st.none() | st.integers(0, 0o7777)
OWNERS = st.builds(Owner, id=st.none() | st.integers(0, 9), name=st.none() | NAMES)
HEADERS = st.lists(
    st.builds(Header, name=NAMES, value=st.none() | NAMES),
    unique_by=lambda one: one.name,
    max_size=2,
).map(tuple)
RESOURCES = st.builds(
    Resource,
    source=st.binary(max_size=4).map(data_url),
    compression=st.sampled_from([None, "", "gzip"]),
    http_headers=HEADERS,
)
FILES = st.builds(
    File,
    path=NAMES.map(lambda name: f"/{name}"),
    contents=RESOURCES,
    append=st.lists(RESOURCES, max_size=2).map(tuple),
    mode=MODES,
    overwrite=FLAGS,
    user=OWNERS,
)
DIRECTORIES = st.builds(Directory, path=NAMES.map(lambda name: f"/{name}"), mode=MODES)
LINKS = st.builds(Link, path=NAMES.map(lambda name: f"/{name}"), target=NAMES, hard=FLAGS)
NODES = st.lists(FILES | DIRECTORIES | LINKS, unique_by=lambda node: node.path, max_size=3)
DROPINS = st.lists(
    st.builds(Dropin, name=NAMES.map(lambda name: f"{name}.conf"), contents=st.none() | NAMES),
    unique_by=lambda one: one.name,
    max_size=2,
).map(tuple)
UNITS = st.lists(
    st.builds(
        Unit,
        name=NAMES.map(lambda name: f"{name}.service"),
        contents=st.none() | NAMES,
        dropins=DROPINS,
        enabled=FLAGS,
        mask=FLAGS,
    ),
    unique_by=lambda one: one.name,
    max_size=3,
).map(tuple)
KEYS = st.lists(NAMES, unique=True, max_size=2).map(tuple)
USERS = st.lists(
    st.builds(User, name=NAMES, ssh_authorized_keys=KEYS),
    unique_by=lambda one: one.name,
    max_size=2,
).map(tuple)
AUTHORITIES = st.lists(RESOURCES, max_size=2, unique_by=lambda one: one.source).map(tuple)


def storage(nodes: list[File | Directory | Link]) -> Storage:
    return Storage(
        files=tuple(node for node in nodes if isinstance(node, File)),
        directories=tuple(node for node in nodes if isinstance(node, Directory)),
        links=tuple(node for node in nodes if isinstance(node, Link)),
    )


def configs() -> st.SearchStrategy[Config]:
    ignition = st.builds(
        lambda merge, authorities: Ignition(
            config=References(merge=tuple(merge)),
            security=Security(tls=Tls(certificate_authorities=authorities)),
        ),
        st.lists(RESOURCES, max_size=2),
        AUTHORITIES,
    )
    return st.builds(
        Config,
        ignition=ignition,
        passwd=USERS.map(lambda users: Passwd(users=users)),
        storage=NODES.map(storage),
        systemd=UNITS.map(lambda units: Systemd(units=units)),
    )
