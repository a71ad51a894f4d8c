import re

from hypershift.cli.install.rules import recording_rules


def test_every_record_is_there_once_and_named_as_prometheus_allows() -> None:
    names = [each["record"] for each in recording_rules()]
    assert len(names) == len(set(names)) == 16
    assert all(re.fullmatch(r"[a-zA-Z_:][a-zA-Z0-9_:]*", name) for name in names)


def test_every_query_closes_what_it_opens() -> None:
    for rule in recording_rules():
        for opened, closed in ("()", "{}", "[]"):
            assert rule["expr"].count(opened) == rule["expr"].count(closed), rule["record"]


def test_a_component_is_named_by_the_label_of_its_pods() -> None:
    queries = {each["record"]: each["expr"] for each in recording_rules()}
    memory = queries["hypershift:controlplane:component_memory_rss"]
    assert 'label_hypershift_openshift_io_control_plane_component!=""' in memory
    assert "group_left(app)" in memory
