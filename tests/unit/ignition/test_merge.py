from hypothesis import given
from tests.unit.ignition.strategies import configs

from hypershift.ignition import (
    Config,
    Directory,
    Dropin,
    File,
    Link,
    Passwd,
    Resource,
    Storage,
    Systemd,
    Unit,
    User,
    file,
    inline_contents,
    merge,
    without_references,
)


def contents(config: Config, path: str) -> bytes:
    (found,) = [one for one in config.storage.files if one.path == path]
    return inline_contents(found.contents.source or "")


@given(configs())
def test_nothing_laid_over_a_configuration_changes_nothing(config: Config) -> None:
    assert merge(config, Config()) == config


@given(configs())
def test_a_configuration_over_nothing_is_itself(config: Config) -> None:
    assert merge(Config(), config) == config


@given(configs(), configs())
def test_every_path_stays_one_node(parent: Config, child: Config) -> None:
    storage = merge(parent, child).storage
    nodes = (*storage.files, *storage.directories, *storage.links)
    assert len({node.path for node in nodes}) == len(nodes)


@given(configs(), configs())
def test_the_child_wins_wherever_it_speaks(parent: Config, child: Config) -> None:
    merged = {unit.name: unit for unit in merge(parent, child).systemd.units}
    for unit in child.systemd.units:
        assert unit.enabled in (None, merged[unit.name].enabled)
        assert unit.contents in (None, merged[unit.name].contents)


def test_a_file_of_the_child_takes_the_place_of_the_parents_in_its_order() -> None:
    parent = Config(storage=Storage(files=(file("/a", "1"), file("/b", "2"))))
    child = Config(storage=Storage(files=(file("/c", "3"), file("/a", "4"))))
    merged = merge(parent, child)
    assert [one.path for one in merged.storage.files] == ["/a", "/b", "/c"]
    assert contents(merged, "/a") == b"4"


def test_a_plain_file_laid_over_a_compressed_one_is_not_read_as_compressed() -> None:
    parent = Config(storage=Storage(files=(file("/a", "1" * 99, compress=True),)))
    merged = merge(parent, Config(storage=Storage(files=(file("/a", "2"),))))
    assert merged.storage.files[0].contents.compression == ""


def test_a_file_takes_the_place_of_a_link_or_directory_at_its_path() -> None:
    parent = Config(
        storage=Storage(directories=(Directory(path="/a"),), links=(Link(path="/b", target="c"),))
    )
    child = Config(storage=Storage(files=(File(path="/a"), File(path="/b"))))
    assert merge(parent, child).storage == child.storage


def test_appended_contents_follow_each_other() -> None:
    one = Config(storage=Storage(files=(File(path="/a", append=(Resource(source="data:,1"),)),)))
    two = Config(storage=Storage(files=(File(path="/a", append=(Resource(source="data:,1"),)),)))
    assert len(merge(one, two).storage.files[0].append) == 2


def test_dropins_and_keys_come_together() -> None:
    parent = Config(
        systemd=Systemd(
            units=(Unit(name="x.service", enabled=True, dropins=(Dropin(name="a.conf"),)),)
        ),
        passwd=Passwd(users=(User(name="core", ssh_authorized_keys=("k1",)),)),
    )
    child = Config(
        systemd=Systemd(units=(Unit(name="x.service", dropins=(Dropin(name="b.conf"),)),)),
        passwd=Passwd(users=(User(name="core", ssh_authorized_keys=("k1", "k2")),)),
    )
    merged = merge(parent, child)
    (unit,) = merged.systemd.units
    assert [one.name for one in unit.dropins] == ["a.conf", "b.conf"]
    assert unit.enabled is True
    assert merged.passwd.users[0].ssh_authorized_keys == ("k1", "k2")


@given(configs())
def test_references_are_dropped_and_nothing_else(config: Config) -> None:
    bare = without_references(config)
    assert not bare.ignition.config.merge
    assert (bare.storage, bare.systemd, bare.ignition.security) == (
        config.storage,
        config.systemd,
        config.ignition.security,
    )
