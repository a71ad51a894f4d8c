"""A cloud's name stands in its own folder, in the API and in the CLI: operators ask the cloud.

What lies below `platforms` asks `hypershift.api.platforms.traits`.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from hypershift import platforms
from hypershift.api.values import PlatformType

SOURCE = Path(platforms.__file__).parents[1]
#: "None" and "Local" are words of other vocabularies as well; `PlatformType` tells them apart.
NAMES = {str(each) for each in PlatformType} - {PlatformType.NONE, PlatformType.LOCAL}
FOLDERS = {str(each).lower() for each in PlatformType}
#: What a cloud may be named in: what users write, and what they write it with.
PLACES = ("api/", "cli/")
#: Packages with one folder for each cloud.
HOMES = ("platforms", "infra", "cloud")
#: Tables of all clouds.
TABLES = ("platforms/registry.py", "controlplane/capi_provider/clouds.py")


def clouds(tree: ast.AST) -> Iterator[str]:
    """The clouds that a module names: as a string, by the enum, or by importing the folder."""
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if text in NAMES:
                yield text
            case ast.Attribute(value=ast.Name(id="PlatformType"), attr=name):
                yield PlatformType[name]
            case ast.ImportFrom(module=str(module)):
                yield from _imported(module, [each.name for each in node.names])
            case ast.Import(names=names):
                for each in names:
                    yield from _imported(each.name, [])
            case _:
                pass


def _imported(module: str, names: list[str]) -> Iterator[str]:
    home, _, rest = module.partition("hypershift.platforms")
    if home or not module.startswith("hypershift.platforms"):
        return
    folder = rest.removeprefix(".").partition(".")[0]
    yield from ({folder} if folder else set(names)) & FOLDERS


def is_home(path: str) -> bool:
    """Whether a module may name a cloud."""
    home, _, rest = path.partition("/")
    own = home in HOMES and "/" in rest and rest.partition("/")[0] in FOLDERS
    own = own or _component_of_cloud(path)
    return own or path.startswith(PLACES) or path in TABLES


def _component_of_cloud(path: str) -> bool:
    """Whether a module is of a component that one cloud alone has, and that is named after it."""
    parts = path.split("/")
    return parts[0] == "controlplane" and parts[1].partition("_")[0] in FOLDERS


def offences() -> dict[str, set[str]]:
    """The clouds that each module names without being their place."""
    found = {
        str(path.relative_to(SOURCE)): set(clouds(ast.parse(path.read_text())))
        for path in sorted(SOURCE.rglob("*.py"))
    }
    return {path: named for path, named in found.items() if named and not is_home(path)}


def test_a_cloud_is_named_in_its_places_alone() -> None:
    lines = [f"{path}: {sorted(each)}" for path, each in offences().items()]
    assert not lines, "\n".join(lines)


@pytest.mark.parametrize(
    ("offence", "named"),
    [
        ('if platform == "Azure": ...', {"Azure"}),
        ("if platform == PlatformType.NONE: ...", {"None"}),
        ("match platform:\n    case 'GCP': ...", {"GCP"}),
        ('SLOW = frozenset({"Agent"})', {"Agent"}),
        ("from hypershift.platforms.aws import tags", {"aws"}),
        ("from hypershift.platforms import kubevirt", {"kubevirt"}),
        ("import hypershift.platforms.powervs.machine_template", {"powervs"}),
        ("from hypershift.platforms import Pools, platform_of", set()),
        ("from hypershift.platforms.pools import Pools", set()),
    ],
)
def test_a_cloud_that_is_named_is_found(offence: str, named: set[str]) -> None:
    assert set(clouds(ast.parse(offence))) == named


@pytest.mark.parametrize(
    ("path", "home"),
    [
        ("platforms/aws/rules.py", True),
        ("platforms/registry.py", True),
        ("infra/aws/network.py", True),
        ("infra/plan.py", False),
        ("cloud/aws/account.py", True),
        ("platforms/pools.py", False),
        ("api/publishing.py", True),
        ("cli/clouds/aws/create.py", True),
        ("operators/hypershift/node_pool/rules/conditions.py", False),
    ],
)
def test_a_place_of_clouds_is_told_apart(path: str, *, home: bool) -> None:
    assert is_home(path) is home
