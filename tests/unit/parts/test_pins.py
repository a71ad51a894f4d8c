import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Self

import pytest

from hypershift.parts.download import Downloads
from hypershift.parts.errors import ChecksumMismatch, PartUnavailable
from hypershift.parts.part import GoModule
from hypershift.parts.pins import downloads
from hypershift.parts.table import modules

#: Files whose checksum no public repository that we know has written down.
UNPINNED = {
    "https://dl.k8s.io/v1.35.8/bin/linux/amd64/kube-controller-manager",
    "https://dl.k8s.io/v1.35.8/bin/linux/amd64/kube-proxy",
    "https://dl.k8s.io/v1.35.8/bin/linux/amd64/kube-scheduler",
    "https://dl.k8s.io/v1.35.8/bin/linux/arm64/kube-apiserver",
    "https://dl.k8s.io/v1.35.8/bin/linux/arm64/kube-controller-manager",
    "https://dl.k8s.io/v1.35.8/bin/linux/arm64/kube-proxy",
    "https://dl.k8s.io/v1.35.8/bin/linux/arm64/kube-scheduler",
    "coredns_1.14.7_linux_arm64.tgz",
    "containerd-static-2.4.2-linux-amd64.tar.gz",
    "containerd-static-2.4.2-linux-arm64.tar.gz",
    "etcd-v3.6.16-linux-amd64.tar.gz",
    "etcd-v3.6.16-linux-arm64.tar.gz",
    "prometheus-3.13.5.linux-amd64.tar.gz",
    "prometheus-3.13.5.linux-arm64.tar.gz",
}


def released() -> Iterator[tuple[str, GoModule, str, str]]:
    """Each file that the table would download: architecture, module, binary, address."""
    for architecture in ("amd64", "arm64"):
        for module in modules():
            for name in module.packages if module.release else ():
                assert module.release
                url = module.release.url.format(
                    version=module.version, arch=architecture, name=name
                )
                yield architecture, module, name, url


def short(url: str) -> str:
    return url if url.startswith("https://dl.k8s.io") else url.rpartition("/")[2]


class Forger:
    """Answers every request with the same other bytes, and publishes their checksum."""

    @asynccontextmanager
    async def get(self, _url: str, **_options: object) -> AsyncIterator["Forger"]:
        yield self

    @property
    def content(self) -> "Forger":
        return self

    async def iter_chunked(self, _size: int) -> AsyncIterator[bytes]:
        yield b"evil"

    async def read(self) -> bytes:
        return b"4e1243bd22c66e76c2ba9eddc1f91394e57f9f83" + b"0" * 24


def test_pins_are_those_of_files_that_the_table_downloads() -> None:
    assert downloads().keys() <= {url for _, _, _, url in released()}


def test_what_has_no_checksum_of_ours_is_known() -> None:
    without = {short(url) for _, _, _, url in released()} - {short(url) for url in downloads()}
    assert without == UNPINNED


def test_a_pin_says_who_wrote_it_down() -> None:
    for url, pin in downloads().items():
        assert re.fullmatch(r"[0-9a-f]{64}", pin.sha256), url
        assert pin.recorded_by, url


@pytest.mark.parametrize(
    ("architecture", "module", "name"),
    [(arch, module, name) for arch, module, name, url in released() if url in downloads()],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_other_bytes_at_a_pinned_address_are_refused(
    architecture: str, module: GoModule, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Session(Forger):
        def __init__(self, **_options: object) -> None: ...

        async def __aenter__(self) -> Self:
            return self

        async def __aexit__(self, *_error: object) -> None: ...

    monkeypatch.setattr("aiohttp.ClientSession", Session)
    with pytest.raises(ChecksumMismatch, match="is pinned: not used"):
        asyncio.run(Downloads(architecture).fetch(module, [name], tmp_path, lambda _line: None))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["kube-scheduler", "kube-proxy"])
async def test_pinned_downloads_alone_are_taken_where_that_is_asked_for(
    name: str, tmp_path: Path
) -> None:
    module = next(module for module in modules() if module.name == "kubernetes-1.35")
    careful = Downloads("amd64", pinned_only=True)
    with pytest.raises(PartUnavailable, match="is pinned"):
        await careful.fetch(module, [name], tmp_path, lambda _line: None)
