"""The fingerprint of mounted configuration changes when, and only when, the content does."""

from base64 import b64encode

from hypershift.component.config_hash import ANNOTATION, with_config_hash
from hypershift.kit import Manifest
from hypershift.kit.names import fnv1a

POD: Manifest = {
    "metadata": {},
    "spec": {
        "volumes": [
            {"name": "a", "secret": {"secretName": "s"}},
            {"name": "b", "configMap": {"name": "c"}},
            {"name": "d", "projected": {"sources": [{"configMap": {"name": "p"}}]}},
            {"name": "e", "configMap": {"name": "client-ca"}},
            {"name": "f", "emptyDir": {}},
        ]
    },
}
FAKE = b64encode(b"fake").decode()


def hashed(objects: dict[str, Manifest], ignored: frozenset[str] = frozenset()) -> str:
    pod = with_config_hash(POD, lambda kind, name: objects.get(f"{kind}/{name}"), ignored)
    return str(pod["metadata"]["annotations"][ANNOTATION])


def test_fnv1a_is_the_published_function() -> None:
    assert fnv1a(b"") == "811c9dc5"
    assert fnv1a(b"a") == "e40c292c"
    assert fnv1a(b"foobar") == "bf9cf968"


def test_a_secret_is_hashed_as_the_printed_list_of_its_bytes() -> None:
    assert hashed({"Secret/s": {"data": {"k": FAKE}}}) == fnv1a(b"[102 97 107 101]")


def test_hashes_are_sorted_and_joined() -> None:
    objects = {"Secret/s": {"data": {"k": FAKE, "l": FAKE}}, "ConfigMap/c": {"data": {"x": "y"}}}
    one, two = fnv1a(b"[102 97 107 101]"), fnv1a(b"y")
    assert hashed(objects) == "".join(sorted([one, one, two]))


def test_projected_sources_count_and_absent_objects_do_not() -> None:
    assert hashed({}) == ""
    assert hashed({"ConfigMap/p": {"data": {"x": "y"}}}) == fnv1a(b"y")


def test_what_its_reader_rereads_does_not_count() -> None:
    objects = {"ConfigMap/client-ca": {"data": {"ca.crt": "x"}}, "Secret/s": {"data": {"k": FAKE}}}
    assert hashed(objects, frozenset({"Secret/s"})) == ""
