"""Documents of users cost what their budget allows and nothing more: C4, M7.

Every reader answers any text with a value or with an error of ours, within a few seconds and
within a few times the memory of the text.
"""

import base64
import json
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.lib.decoded import a_decoded_spec
from tests.unit.platforms.kubevirt.test_machine_template import virtual_machine

from hypershift.api import HostedCluster
from hypershift.api import read as typed
from hypershift.api.conditions import HostedClusterCondition, Reason, false
from hypershift.api.json_patch import patch_problems
from hypershift.component import pod_user
from hypershift.ignition import goyaml, machine_config, render
from hypershift.kit import HypershiftError, InvalidSpec, SystemClock, go_duration
from hypershift.kit.budget import MEBIBYTE, BadDocument
from hypershift.kit.documents import read, read_json
from hypershift.kit.quantity import canonical
from hypershift.kube.expiry import not_after
from hypershift.oci.auth import read_challenge, read_pull_secret
from hypershift.operators.hypershift.hosted_cluster import names
from hypershift.operators.hypershift.hosted_cluster.rules import validation
from hypershift.operators.hypershift.node_pool.rules import (
    configuration,
    release_version,
    tuning_manifest,
)
from hypershift.operators.hypershift.node_pool.rules.configuration import Source
from hypershift.pki import Policy, certificate_from_pem, issuer, key_from_pem
from hypershift.pki.keys import LARGEST_PEM
from hypershift.platforms.kubevirt import json_patch
from hypershift.release import Version
from hypershift.release import documents as release_documents
from hypershift.runtime import Conditions

SECONDS = 20.0  # generous: two cores are shared by many tests
MEBIBYTES = 400

CONFIG = """\
apiVersion: machineconfiguration.openshift.io/v1
kind: MachineConfig
metadata: {name: x}
spec: {config: %s}
"""


def bomb(levels: int, width: int = 9) -> str:
    """Nested aliases: `levels` lines that mean width**levels values."""
    lines = ["a0: &a0 [x]"]
    lines += [
        f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * width)}]"
        for level in range(1, levels + 1)
    ]
    return "\n".join(lines)


def merge_bomb(levels: int) -> str:
    lines = ["a0: &a0 {x: 1}"]
    lines += [
        f"a{level}: &a{level} {{<<: [{', '.join([f'*a{level - 1}'] * 9)}]}}"
        for level in range(1, levels + 1)
    ]
    return "\n".join(lines)


BOMBS = {
    "aliases": bomb(9),
    "merges": merge_bomb(9),
    "a long text many times": 'a: &a "' + "x" * 500_000 + '"\nb: [' + "*a," * 1000 + "]",
    "an alias of itself": "a: &a [*a]",
    "deep lists": "[" * 200_000,
    "deep lists that close": "[" * 50_000 + "]" * 50_000,
    "deep maps": "".join(f"{' ' * n}a:\n" for n in range(800)),
    "deep block lists": "- " * 50_000 + "x",
    "a huge integer": "a: " + "9" * 100_000,
    "a huge hexadecimal integer": "a: 0x" + "f" * 100_000,
    "a huge exponent": "a: 1e999999999",
    "base 60": "a: " + "1:" * 100_000 + "1",
    "a tagged integer": "a: !!int '" + "1:" * 100_000 + "1'",
    "a tagged float": "a: !!float '" + "1:" * 100_000 + "1'",
    "a date that is none": "a: 2026-99-99",
    "bad base64": "a: !!binary '%%%'",
    "a program": "a: !!python/object/apply:os.system [id]",
    "a set": "a: !!set {b, c}",
    "NUL": "a: \x00",
    "a lone surrogate": 'a: "\\ud800"',
    "a list as key": "? [a, b]\n: c",
    "a map as key": "? {a: b}\n: c",
    "many values": "[" + "x," * 500_000 + "]",
    "many keys with digits": "\n".join(f"{'1' * 500}{n}: x" for n in range(1500)),
    "one key of digits": f"{'1' * 100_000}a: x\n{'1' * 100_000}b: x",
    "too long": "x" * 2_000_000,
    "an unknown alias": "a: *b",
    "not a number": "a: .nan\n.inf: b",
}


def within_budget(work: Callable[[], object]) -> None:
    """Run a reader: it may refuse in our words, and costs little."""
    tracemalloc.start()
    start = time.process_time()
    try:
        work()
    except HypershiftError:
        pass  # a refusal
    finally:
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert time.process_time() - start < SECONDS
    assert peak < MEBIBYTES * 1024 * 1024


def pool(*texts: str) -> configuration.PoolConfig:
    return configuration.pool_config(
        typed(
            HostedCluster, {"spec": {"pullSecret": {"name": "p"}, "platform": {"type": "Local"}}}
        ),
        None,
        core=(),
        sources=[Source(str(place), text) for place, text in enumerate(texts)],
        api_proxy="",
        release_version="1.34.1",
        count_core=False,
    )


READERS: dict[str, Callable[[str], object]] = {
    "goyaml": goyaml.load,
    "go json": lambda text: goyaml.json_to_yaml(goyaml.load(text)),
    "machine config": machine_config.read,
    "a machine config's content": lambda text: machine_config.read(
        CONFIG % json.dumps({"x": text})
    ),
    "render": render.check,
    "tuning": tuning_manifest.read,
    "pool": pool,
    "yaml": read,
    "json": read_json,
    "json patch": json_patch.read,
    "json patch of the API": lambda text: list(patch_problems(text)),
    "pull secret": read_pull_secret,
    "key": lambda text: key_from_pem(text.encode(errors="replace")),
    "certificate": lambda text: certificate_from_pem(text.encode(errors="replace")),
    "duration": go_duration,
    "quantity": canonical,
    "policy": lambda text: Policy.from_annotations(
        {"hypershift.openshift.io/certificate-validity": text}
    ),
    "renewal": lambda text: Policy.from_annotations(
        {"hypershift.openshift.io/certificate-renewal": text}
    ),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("case", BOMBS)
def test_no_document_costs_more_than_its_budget(reader: str, case: str) -> None:
    within_budget(lambda: READERS[reader](BOMBS[case]))


@pytest.mark.parametrize("case", ["aliases", "merges", "an alias of itself", "deep lists"])
@pytest.mark.parametrize("wrapped", [False, True], ids=["whole", "stream"])
def test_boot_images_of_a_release_have_a_budget(case: str, wrapped: bool) -> None:  # noqa: FBT001
    text = json.dumps({"data": {"streams": BOMBS[case]}}) if wrapped else BOMBS[case]
    documents = dict.fromkeys(release_documents.DOCUMENTS, b"{}")
    documents[release_documents.BOOT_IMAGES] = text.encode()
    start = time.process_time()
    with pytest.raises(release_documents.InvalidRelease, match="boot images"):
        release_documents.read_release("registry.example/r:1", documents)
    assert time.process_time() - start < SECONDS


LISTS = ("0-4000000000", "0-" + "9" * 5000, "0-8191," * 100_000 + "0", "9" * 5000, "-5-1")


@pytest.mark.parametrize("cpus", LISTS)
@pytest.mark.parametrize("field", ["isolated", "reserved", "offlined"])
def test_a_list_of_processors_is_none_of_our_memory(field: str, cpus: str) -> None:
    cpu = {"isolated": "1-3", "reserved": "0", field: cpus}
    profile = {
        "apiVersion": "performance.openshift.io/v2",
        "kind": "PerformanceProfile",
        "metadata": {"name": "p"},
        "spec": {"cpu": cpu, "nodeSelector": {"node-role.kubernetes.io/worker": ""}},
    }
    within_budget(lambda: tuning_manifest.read(json.dumps(profile)))
    with pytest.raises(HypershiftError):
        tuning_manifest.read(json.dumps(profile))


def test_a_machine_has_no_more_devices_than_memory_of_ours() -> None:
    devices = [{"deviceName": "gpu", "count": 2147483647}]
    with pytest.raises(HypershiftError, match="host devices"):
        virtual_machine(hostDevices=devices)


@pytest.mark.parametrize("piece", ["9", 'a="', 'a="b",', "="])
def test_a_challenge_of_a_registry_is_read_in_a_moment(piece: str) -> None:
    start = time.process_time()
    read_challenge("Bearer " + piece * 40_000)
    assert time.process_time() - start < 1.0


def test_400_bytes_of_aliases_are_refused_in_the_words_of_go_yaml() -> None:
    indented = bomb(9).replace("\n", "\n    ")
    text = CONFIG.partition("spec:")[0] + f"spec:\n  config:\n    {indented}\n"
    assert len(text) < 1000
    start = time.process_time()
    with pytest.raises(InvalidSpec, match="document contains excessive aliasing"):
        pool(text)
    assert time.process_time() - start < 1.0


def test_a_document_may_repeat_itself_as_people_do() -> None:
    lines = ["base: &base {a: 1, b: [x, z]}"]
    lines += [f"m{n}: {{<<: *base, c: {n}}}" for n in range(200)]
    assert goyaml.load("\n".join(lines))["m7"] == {"a": 1, "b": ["x", "z"], "c": 7}
    assert read("\n".join(lines))["m7"] == {"a": 1, "b": ["x", "z"], "c": 7}


def test_one_bad_config_map_is_named_and_the_good_ones_are_not_blamed() -> None:
    with pytest.raises(InvalidSpec) as caught:
        pool(CONFIG % "{}", BOMBS["aliases"])
    assert 'configmap "1"' in str(caught.value)
    assert 'configmap "0"' not in str(caught.value)


def test_all_documents_of_a_pool_together_are_bounded() -> None:
    sources = [Source(str(n), "#" * 1_000_000) for n in range(5)]
    with pytest.raises(InvalidSpec, match="at most"):
        configuration.check_size(sources)


def test_a_condition_fits_into_the_status_however_long_its_message_is() -> None:
    status: dict[str, Any] = {}
    kind, reason = HostedClusterCondition.VALID_CONFIGURATION, Reason.INVALID_CONFIGURATION
    Conditions(status, SystemClock()).set(false(kind, reason, "x" * 1_000_000))
    assert len(status["conditions"][0]["message"]) == 32768


def test_a_patch_cannot_double_a_document_again_and_again() -> None:
    operations = [{"op": "copy", "from": "/a", "path": "/a/-"} for _ in range(60)]
    with pytest.raises(InvalidSpec, match="copies more than"):
        json_patch.applied({"a": ["x" * 100]}, json_patch.read(json.dumps(operations)))


@pytest.mark.parametrize(
    "operations",
    [
        [{"op": "add", "path": "/a/b/2000000000/c", "value": 1}],
        [{"op": "add", "path": f"/a/{'9' * 5000}/c", "value": 1}],
        [{"op": "add", "path": "/a" + "/999" * 100, "value": 1}],
        [{"op": "add", "path": f"/{n}/9999/x", "value": 1} for n in "abcdefghij"],
        [{"op": "add", "path": "/a" * 100_000, "value": 1}],
        [{"op": "add", "path": 5, "value": 1}],
        [{"op": "move", "path": "/a", "from": None}],
    ],
    ids=["index", "digits", "indices", "lists", "steps", "number", "none"],
)
def test_a_patch_makes_no_list_of_a_number(operations: list[Any]) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(InvalidSpec):
            json_patch.applied({"a": {}}, json_patch.read(json.dumps(operations)))
        assert tracemalloc.get_traced_memory()[1] < 20 * MEBIBYTE
    finally:
        tracemalloc.stop()


def der(*numbers: int) -> bytes:
    """A private key in PKCS#1, of any numbers."""

    def sized(tag: int, content: bytes) -> bytes:
        size = len(content).to_bytes((len(content).bit_length() + 7) // 8)
        begin = size if len(content) < 0x80 else bytes((0x80 | len(size),)) + size
        return bytes((tag,)) + begin + content

    content = b"".join(sized(2, n.to_bytes(n.bit_length() // 8 + 1)) for n in numbers)
    text = base64.encodebytes(sized(0x30, content)).decode()
    kind = "RSA PRIVATE KEY"
    return f"-----BEGIN {kind}-----\n{text}-----END {kind}-----\n".encode()


def an_rsa_key(p: int, q: int, e: int = 65537) -> list[int]:
    d = pow(e, -1, (p - 1) * (q - 1))
    return [0, p * q, e, d, p, q, d % (p - 1), d % (q - 1), pow(q, -1, p)]


def mersenne(*exponents: int) -> list[int]:
    return [(1 << exponent) - 1 for exponent in exponents]


LONG = an_rsa_key(*mersenne(4253, 4423))
FITTING = an_rsa_key(*mersenne(2203, 1279))


@pytest.mark.parametrize(
    "numbers",
    [
        LONG,  # OpenSSL tests these primes for 18 s
        [0, *FITTING[1:4], (1 << 19937) - 1, *FITTING[5:]],  # and this one for a minute
        [0, *FITTING[1:5], (1 << 19937) - 1, *FITTING[6:]],
        [0, 15, 3, 3, 3, 5, 1, 3, 2],
        [0, *FITTING[1:3], FITTING[3] + 2, *FITTING[4:]],
        [0, *FITTING[1:8], 1],
        an_rsa_key((1 << 2203) - 1, ((1 << 1000) - 3) ** 2),  # one is no prime
    ],
    ids=["long", "first", "second", "tiny", "exponent", "inverse", "composite"],
)
def test_no_key_of_a_user_is_tested_for_long(numbers: list[int]) -> None:
    pem = der(*numbers)
    assert len(pem) < LARGEST_PEM
    start = time.process_time()
    assert key_from_pem(pem) is None
    assert time.process_time() - start < 2.0


def test_a_sound_key_of_a_user_is_read() -> None:
    start = time.process_time()
    assert key_from_pem(der(*FITTING)) is not None
    assert time.process_time() - start < 2.0


LONG_NUMBER = "9" * 5000


@pytest.mark.parametrize("part", [LONG_NUMBER, "\u00b2", "\u0664", ""])
def test_a_number_that_python_does_not_read_is_refused_as_others_are(part: str) -> None:
    with pytest.raises(InvalidSpec):
        Version.parse(f"{part}.1.2")
    assert release_version.parse(f"1.{part}") is None
    namespace = {"metadata": {"annotations": {names.SECURITY_CONTEXT_UID: part}}}
    assert pod_user(namespace) is None
    port = {"type": "NodePort", "nodePort": {"address": "192.0.2.1", "port": 30000}}
    spec = {
        "platform": {"type": "None"},
        "networking": {"networkType": "Other"},
        "services": [{"service": "APIServer", "servicePublishingStrategy": port}],
        "configuration": {"network": {"serviceNodePortRange": f"{part}-31000"}},
    }
    found = list(validation.network_problems(a_decoded_spec(spec)))
    assert any("serviceNodePortRange" in one for one in found)


def test_many_beginnings_of_public_keys_take_no_longer_than_one() -> None:
    start = time.process_time()
    assert json.loads(issuer.documents("https://x", b"-----BEGIN A-----\n" * 3500)[issuer.KEYS])
    with pytest.raises(InvalidSpec, match="more than"):
        issuer.documents("https://x", b"-----BEGIN A-----\n" * 50_000)
    assert time.process_time() - start < 1.0


def test_many_beginnings_of_certificates_take_no_longer_than_one() -> None:
    start = time.process_time()
    with pytest.raises(ValueError, match="certificate"):
        not_after(b"-----BEGIN CERTIFICATE-----\n" * 30_000)
    assert time.process_time() - start < 1.0


@pytest.mark.parametrize("text", ["1s", "0", "59m", "999999h", "1000000000000h", "-1h", "1e9h"])
def test_certificates_live_neither_a_moment_nor_for_ever(text: str) -> None:
    with pytest.raises(InvalidSpec, match="certificate-validity"):
        Policy.from_annotations({"hypershift.openshift.io/certificate-validity": text})


@pytest.mark.parametrize("text", ["nan", "inf", "0", "1", "0.9999", "-1", "x"])
def test_certificates_are_not_renewed_in_every_pass(text: str) -> None:
    with pytest.raises(InvalidSpec, match="certificate-renewal"):
        Policy.from_annotations({"hypershift.openshift.io/certificate-renewal": text})


SIGNS = st.sampled_from(
    ["&a ", "*a", "<<: ", "!!int ", "!!binary ", "!!timestamp ", "- ", "? ", ": ", "{", "}", "[",
     "]", "|\n", ">-\n", "'", '"', "\n", "  ", "---\n", "...\n", "%YAML 1.1\n", "1:2:3", "0x1",
     "1e9", ".nan", "\t", "#", "~", "2026-01-01", "\\ud800", "\ufeff", "\x85", "kind", "a"]
)  # fmt: skip
TEXTS = st.lists(SIGNS, max_size=40).map("".join) | st.text(max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4)
    ),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    ["apiVersion", "kind", "metadata", "spec", "config", "name", "labels", "kernelType", "units",
     "storage", "files", "ignition", "kubeletConfig", "containerRuntimeConfig", "systemd"]
)  # fmt: skip
KINDS = st.sampled_from(
    [
        ("machineconfiguration.openshift.io/v1", "MachineConfig"),
        ("machineconfiguration.openshift.io/v1", "KubeletConfig"),
        ("machineconfiguration.openshift.io/v1", "ContainerRuntimeConfig"),
        ("config.openshift.io/v1", "ImageDigestMirrorSet"),
        ("operator.openshift.io/v1alpha1", "ImageContentSourcePolicy"),
        ("tuned.openshift.io/v1", "Tuned"),
        ("performance.openshift.io/v2", "PerformanceProfile"),
    ]
)


@pytest.mark.parametrize("reader", READERS)
@given(text=TEXTS)
def test_any_text_is_read_or_refused(reader: str, text: str) -> None:
    with suppress(HypershiftError):
        READERS[reader](text)


@given(
    st.dictionaries(FIELDS, JSON, max_size=4),
    st.dictionaries(FIELDS, st.dictionaries(FIELDS, JSON, max_size=3) | JSON, max_size=4),
    KINDS,
)
@settings(max_examples=300)
def test_any_object_of_a_known_kind_is_read_or_refused(
    top: dict[str, Any], spec: dict[str, Any], kind: tuple[str, str]
) -> None:
    version, name = kind
    document = {**top, "apiVersion": version, "kind": name, "spec": spec}
    text = yaml.safe_dump(document, allow_unicode=False)
    for reader in ("machine config", "render", "tuning", "pool"):
        with suppress(HypershiftError):
            READERS[reader](text)


def refusal(text: str) -> str:
    try:
        read(text)
    except BadDocument as error:
        return str(error)
    return ""


@pytest.mark.parametrize("case", BOMBS)
def test_a_refusal_is_short_and_quotes_nothing(case: str) -> None:
    said = refusal(f"password: hunter2\n{BOMBS[case]}")
    assert "hunter2" not in said
    assert len(said) < 300
