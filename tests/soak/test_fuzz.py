"""Fuzzing of every document that users, registries and guests hand us, for as long as asked.

`HYPERSHIFT_FUZZ_SECONDS` says how long (60 seconds unless set). Each input goes to every reader.
The report tells inputs, readings, the longest one and the peak of memory.
"""

import os
import random
import resource
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tests.adversary.test_documents import CONFIG, JSON, TEXTS, bomb, merge_bomb
from tests.soak.fuzzed import READERS, REFUSALS

pytestmark = [pytest.mark.soak, pytest.mark.timeout(0)]

#: What one reading may cost. The time is the processor's: others work on this machine too.
MOST_SECONDS = 20.0
MOST_MEBIBYTES = 500
EXAMPLES = 200

KUBECONFIG = """\
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://192.0.2.1", certificate-authority-data: QQ==}}]
users: [{name: u, user: {token: t}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
"""
WHOLE = (
    KUBECONFIG,
    CONFIG % "{ignition: {version: 3.2.0}}",
    '{"auths": {"quay.io": {"auth": "dTpw"}}}',
    'Bearer realm="https://auth.example.com/token",service="s",scope="a b"',
    '{"schemaVersion": 2, "config": {"digest": "sha256:a", "size": 1}, "layers": []}',
    '{"kind": "ImageStream", "metadata": {"name": "1.35.8"}, "spec": {"tags": []}}',
    "-----BEGIN CERTIFICATE-----\nTUlJ\n-----END CERTIFICATE-----\n",
    '[{"op": "add", "path": "/a/-", "value": 1}]',
    "quay.io/a/b:c@sha256:" + "0" * 64,
)


@dataclass
class Report:
    inputs: int = 0
    readings: int = 0
    longest: float = 0.0
    slowest: str = ""
    started: float = field(default_factory=time.monotonic)

    def read(self, text: str) -> None:
        self.inputs += 1
        for name, reader in READERS.items():
            start = time.process_time()
            with suppress(*REFUSALS):
                reader(text)
            took = time.process_time() - start
            self.readings += 1
            if took > self.longest:
                self.longest, self.slowest = took, name
            assert took < MOST_SECONDS, f"{name} took {took:.1f} s for {text[:200]!r}"

    def __str__(self) -> str:
        return (
            f"{self.inputs} inputs, {self.readings} readings by {len(READERS)} readers in "
            f"{time.monotonic() - self.started:.0f} s; longest {self.longest:.3f} s "
            f"({self.slowest}); peak memory {peak():.0f} MiB"
        )


def peak() -> float:
    """The most memory that this process ever had, in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@st.composite
def broken(draw: st.DrawFn) -> str:
    """A good document with a piece taken out, doubled many times, or put in place of another."""
    text = draw(st.sampled_from(WHOLE))
    start = draw(st.integers(0, len(text)))
    end = draw(st.integers(start, len(text)))
    piece = draw(TEXTS) + text[start:end] * draw(st.sampled_from((0, 1, 2, 50, 1000)))
    return text[:start] + piece + text[end:]


INPUTS = st.one_of(
    TEXTS,
    broken(),
    JSON.map(str),
    st.builds(bomb, st.integers(1, 12), st.integers(2, 12)),
    st.builds(merge_bomb, st.integers(1, 12)),
    st.builds(lambda sign, count: sign * count,
              st.sampled_from(("[", "{a: ", "- ", "9", '"', "&a ", "%", "\\", "=", "/", ":")),
              st.integers(1, 20_000)),
)  # fmt: skip


def test_no_reader_fails_or_costs_more_than_its_budget(capsys: pytest.CaptureFixture[str]) -> None:
    seconds = float(os.environ.get("HYPERSHIFT_FUZZ_SECONDS", "60"))
    began, report = peak(), Report()
    first = random.SystemRandom().randrange(1 << 32)
    rounds = 0
    while rounds == 0 or time.monotonic() - report.started < seconds:

        @seed(first + rounds)
        @settings(max_examples=EXAMPLES, deadline=None, database=None,
                  phases=(Phase.generate,),
                  suppress_health_check=list(HealthCheck))  # fmt: skip
        @given(INPUTS)
        def one_round(text: str) -> None:
            if time.monotonic() - report.started < seconds:
                report.read(text)

        one_round()
        rounds += 1
    with capsys.disabled():
        sys.stdout.write(f"\nfuzzing: {report}; seeds {first} to {first + rounds - 1}\n")
    assert report.inputs > 0
    assert peak() - began < MOST_MEBIBYTES
