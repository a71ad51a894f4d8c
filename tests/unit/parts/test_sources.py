import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from hypershift.parts import damaged, ensure, find, missing, path
from hypershift.parts.download import Downloaded, Downloads
from hypershift.parts.errors import BuildFailed, PartMissing, PartUnavailable, SignatureRefused
from hypershift.parts.fetch import estimate, sources
from hypershift.parts.settings import Settings

Tool = Callable[[str, str], Path]

#: Stands for the compiler: every binary that it is asked for, in the directory behind -o.
COMPILER = """
if [ "$1" = env ]; then echo go1.26.8; exit 0; fi
echo "$@" >> "$0.calls"
while [ "$1" != -o ]; do shift; done
out=$2; shift 2
[ -d "$out" ] || { echo "tests of $1" > "$out"; exit 0; }
echo k8s.io/compiled/one
for package in "$@"; do
  name=${package##*/}
  case $name in v[0-9]*) rest=${package%/*}; name=${rest##*/} ;; esac
  [ "$name" = . ] && name=${PWD##*/}
  echo "binary of $package" > "$out/$name"
done
"""


@pytest.fixture
def compiler(tool: Tool) -> Path:
    return tool("go", COMPILER)


def calls(compiler: Path) -> list[str]:
    log = compiler.with_name("go.calls")
    return log.read_text().splitlines() if log.exists() else []


def silent(_line: str) -> None: ...


async def test_one_compiler_run_makes_the_binaries_asked_for(
    compiler: Path, settings: Settings
) -> None:
    found = await ensure(("etcd", "etcdctl"), settings=settings, report=silent)
    assert found["etcd"].read_text() == "binary of go.etcd.io/etcd/server/v3\n"
    assert found["etcdctl"].read_text() == "binary of go.etcd.io/etcd/etcdctl/v3\n"
    assert len(calls(compiler)) == 1
    assert "etcdutl" not in calls(compiler)[0]


async def test_what_is_cached_is_not_made_again(compiler: Path, settings: Settings) -> None:
    first = await ensure(("etcd",), settings=settings, report=silent)
    assert await ensure(("etcd",), settings=settings, report=silent) == first
    assert len(calls(compiler)) == 1
    assert missing(("etcd", "etcdutl"), settings=settings) == (find("etcdutl"),)


async def test_a_corrupt_binary_is_noticed_and_replaced(compiler: Path, settings: Settings) -> None:
    found = await ensure(("registry",), settings=settings, report=silent)
    found["registry"].write_text("rotten")
    with pytest.raises(PartMissing):
        path("registry", settings=settings)
    assert damaged(("registry", "etcd"), settings=settings) == (find("registry"),)
    again = await ensure(("registry",), settings=settings, report=silent)
    assert again["registry"].read_text() == "binary of .\n"
    assert len(calls(compiler)) == 2


async def test_two_at_once_build_once(compiler: Path, settings: Settings) -> None:
    await asyncio.gather(
        *(ensure(("coredns",), settings=settings, report=silent) for _ in range(3))
    )
    assert len(calls(compiler)) == 1


async def test_another_kubernetes_is_another_module(compiler: Path, settings: Settings) -> None:
    found = await ensure(("kubelet", "kubelet@1.34.10"), settings=settings, report=silent)
    assert len(calls(compiler)) == 2
    assert found["kubelet"] != found["kubelet@1.34.10"]
    assert path("kubelet", "1.34.10", settings=settings) == found["kubelet@1.34.10"]


async def test_the_users_directory_comes_first(
    compiler: Path, settings: Settings, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    own.mkdir()
    for name in ("etcd", "kubelet-1.34.10"):
        (own / name).write_text("mine")
        (own / name).chmod(0o755)
    chosen = replace(settings, directory=own)
    found = await ensure(("etcd", "kubelet@1.34.10"), settings=chosen, report=silent)
    assert found == {"etcd": own / "etcd", "kubelet@1.34.10": own / "kubelet-1.34.10"}
    assert calls(compiler) == []


async def test_a_name_without_version_in_the_users_directory_is_the_default_one(
    settings: Settings, tmp_path: Path
) -> None:
    (tmp_path / "kubelet").write_text("mine")
    (tmp_path / "kubelet").chmod(0o755)
    chosen = replace(settings, directory=tmp_path)
    assert path("kubelet", settings=chosen) == tmp_path / "kubelet"
    with pytest.raises(PartMissing, match=r"parts fetch kubelet@1\.34\.10"):
        path("kubelet@1.34.10", settings=chosen)


async def test_no_network_is_one_clear_sentence(tool: Tool, settings: Settings) -> None:
    tool(
        "go",
        'if [ "$1" = env ]; then echo go1.26.8; exit 0; fi\n'
        'echo "go: k8s.io/api@v0.35.8: dial tcp: lookup proxy.golang.org: no such host"; exit 1',
    )
    with pytest.raises(PartUnavailable) as caught:
        await ensure(("kubectl",), settings=settings, report=silent)
    assert "kubectl 1.35.8 is not in the cache" in str(caught.value)
    assert "HYPERSHIFT_PARTS_DIR" in str(caught.value)
    assert "\n" not in str(caught.value)


async def test_a_compiler_error_is_shown(tool: Tool, settings: Settings) -> None:
    tool(
        "go",
        'if [ "$1" = env ]; then echo go1.26.8; exit 0; fi\n'
        'echo k8s.io/fine; echo "main.go:3: undefined: nonsense"; exit 1',
    )
    with pytest.raises(BuildFailed, match="undefined: nonsense") as caught:
        await ensure(("kubectl",), settings=settings, report=silent)
    assert "k8s.io/fine" not in str(caught.value)


async def test_an_unreachable_download_falls_back_to_the_build(
    compiler: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines: list[str] = []
    online = replace(settings, offline=False)
    # every official host counts as asked before: a test opens no connection to any of them
    monkeypatch.setattr(sources(online).downloads, "unreachable", {"github.com", "dl.k8s.io"})
    await ensure(("etcd",), settings=online, report=lines.append)
    assert any("building it instead" in line for line in lines)
    assert len(calls(compiler)) == 1


async def test_a_download_without_a_valid_signature_is_built_instead(
    compiler: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(*_words: object) -> dict[str, Downloaded]:
        raise SignatureRefused("the signature is not valid: it is of other bytes")

    lines: list[str] = []
    monkeypatch.setattr(Downloads, "fetch", refused)
    online = replace(settings, offline=False)
    await ensure(("containerd",), settings=online, report=lines.append)
    assert any("it is of other bytes; building it instead" in line for line in lines)
    assert len(calls(compiler)) == 1


async def test_a_build_that_was_interrupted_leaves_a_cache_that_works(
    tool: Tool, settings: Settings
) -> None:
    tool("go", f'if [ "$1" = build ]; then exec sleep 60; fi\n{COMPILER}')
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.5):
            await ensure(("registry",), settings=settings, report=silent)
    tool("go", COMPILER)
    found = await ensure(("registry",), settings=settings, report=silent)
    assert found["registry"].exists()


def test_the_estimate_counts_each_module_once(settings: Settings) -> None:
    one = estimate(("kubelet",), settings=settings)
    assert one == estimate(("kubelet", "kubectl"), settings=settings)
    assert estimate(("kubelet", "etcd"), settings=settings) > one


async def test_tests_of_a_package_take_a_run_of_their_own(
    compiler: Path, settings: Settings
) -> None:
    found = await ensure(("e2e.test", "ginkgo"), settings=settings, report=silent)
    assert found["e2e.test"].read_text() == "tests of k8s.io/kubernetes/test/e2e\n"
    assert found["ginkgo"].read_text() == "binary of github.com/onsi/ginkgo/v2/ginkgo\n"
    build, test = calls(compiler)
    assert build.startswith("build ")
    assert test.startswith("test -c -vet=off ")
    assert test.endswith(" k8s.io/kubernetes/test/e2e")
