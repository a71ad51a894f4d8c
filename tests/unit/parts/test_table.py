import json
import re
import string
from pathlib import Path

import pytest

from hypershift.parts.errors import BuildFailed
from hypershift.parts.part import GoModule
from hypershift.parts.recipe import fingerprint, ldflags, module_directory
from hypershift.parts.source_tree import change_line
from hypershift.parts.table import KUBERNETES_VERSIONS, kubernetes, modules, parts


@pytest.mark.parametrize("module", list(modules()), ids=lambda module: f"{module.name}")
def test_module_files_pin_what_the_table_says(module: GoModule) -> None:
    text = (module_directory(module) / "go.mod").read_text()
    assert f"module hypershift/parts/{module.name}\n" in text
    if module.name not in {"pause", "cluster-autoscaler"}:  # ours; tags that Go cannot read
        assert re.search(
            rf"^\s*(require |replace \S+ => )?{re.escape(module.upstream)}\S* v{module.version}$",
            text,
            re.MULTILINE,
        )


@pytest.mark.parametrize("module", list(modules()), ids=lambda module: f"{module.name}")
def test_modules_with_dependencies_come_with_their_checksums(module: GoModule) -> None:
    sums = (module_directory(module) / "go.sum").read_text()
    assert bool(sums) == (module.name != "pause")


@pytest.mark.parametrize("module", list(modules()), ids=lambda module: f"{module.name}")
def test_release_addresses_have_only_known_blanks(module: GoModule) -> None:
    if module.release is None:
        return
    texts = (module.release.url, module.release.checksums, module.release.member)
    blanks = {name for text in texts for _, name, _, _ in string.Formatter().parse(text) if name}
    assert blanks <= {"version", "arch", "name"}
    assert module.release.url.startswith("https://")
    assert module.release.checksums.startswith("https://")


def test_kubernetes_binaries_say_their_version() -> None:
    flags = ldflags(kubernetes("1.34.10"))
    assert "-X=k8s.io/component-base/version.gitVersion=v1.34.10" in flags
    assert "-X=k8s.io/client-go/pkg/version.gitMinor=34" in flags


def test_ids_and_recipes_are_unique() -> None:
    found = list(parts())
    assert len({part.id for part in found}) == len(found)
    assert len({(part.name, fingerprint(part)) for part in found}) == len(found)


def test_each_kubernetes_has_module_files() -> None:
    assert all(module_directory(kubernetes(version)).is_dir() for version in KUBERNETES_VERSIONS)


def test_a_module_has_a_patch_for_each_module_that_it_patches() -> None:
    for module in modules():
        directory = module_directory(module)
        patches, edits = directory / "patches", directory / "edits.json"
        found = {path for path in module.patched if list((patches / path).rglob("*.go"))}
        assert bool(found) == patches.is_dir()
        changed = json.loads(edits.read_bytes()) if edits.exists() else []
        copies = {each["file"].partition("/")[0] for each in changed}
        found |= {path for path in module.patched if path.rpartition("/")[2] in copies}
        assert found == set(module.patched)


def test_a_line_of_another_module_is_changed_where_it_is_as_we_know_it(tmp_path: Path) -> None:
    file = tmp_path / "proxy.go"
    file.write_text("a\n\tstrict\nb\n")
    change_line(file, "\tstrict", "\tlenient")
    assert file.read_text() == "a\n\tlenient\nb\n"
    with pytest.raises(BuildFailed, match="no single line 'strict'"):
        change_line(file, "\tstrict", "\tlenient")


def test_archives_have_recipes_of_their_own() -> None:
    found = {part.name: fingerprint(part) for part in parts()}
    assert found["openshift-api-manifests.tar"] != found["openshift-config-render"]
