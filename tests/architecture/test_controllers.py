"""Every folder of a controller has one grammar: a file's name says what the file may do.

controller.py  the phase tuples, the watches, the indexes     scope.py   what a pass knows
look.py        phases that read the world                     status.py  phases that report
rules/         pure: from what was read to conditions, problems and manifests
<subject>.py   phases that act, one module for each subject
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import hypershift

OPERATORS = Path(hypershift.__file__).parent / "operators"
FOLDERS = sorted({path.parent for path in OPERATORS.rglob("controller.py")})
#: Names that say how a module came to be, not what it is about.
SHAPELESS = ("common", "gather", "helpers", "misc", "observe", "report", "rollup", "say", "util")
#: What a controller is made of beside its phases: constants, and what is known by it.
PLAIN = frozenset({"__init__.py", "controller.py", "scope.py", "names.py", "settings.py"})
#: How a client writes.
WRITES = frozenset({"apply", "create", "delete", "patch", "replace"})


def modules(folder: Path) -> Iterator[Path]:
    """The modules of a controller, without those of controllers in folders of its own."""
    for path in sorted(folder.rglob("*.py")):
        if not any(other != folder and other in path.parents for other in FOLDERS_BELOW[folder]):
            yield path


FOLDERS_BELOW = {folder: [each for each in FOLDERS if folder in each.parents] for folder in FOLDERS}


def is_pure(tree: ast.AST) -> bool:
    """Whether a module neither waits for anything nor holds a client or a scope."""
    for node in ast.walk(tree):
        match node:
            case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncWith() | ast.AsyncFor():
                return False
            case ast.ImportFrom(module=str(module), names=names):
                if "Client" in {each.name for each in names} or module.endswith(".scope"):
                    return False
            case _:
                pass
    return True


def offences(name: str, tree: ast.Module) -> Iterator[str]:
    """What a module of a controller has that its name does not promise; `name` is below it."""
    stem = Path(name).stem
    if name.startswith("rules/"):
        if not is_pure(tree):
            yield "is not pure"
        return
    if stem in SHAPELESS or stem == "phases" or stem.endswith("_phases"):
        yield f"is called {stem}"
    defined = {node.name: node for node in tree.body if isinstance(node, ast.ClassDef)}
    scopes = [name for name, node in defined.items() if _is_scope(node)]
    if scopes and stem != "scope":
        yield f"defines {scopes[0]}"
    if _tuples(tree) and stem != "controller":
        yield f"declares {_tuples(tree)[0]}"
    if stem == "look":
        yield from (f"writes by {verb}" for verb in _writes(tree))
    if stem != "controller" and any(_calls_controller(node) for node in ast.walk(tree)):
        yield "makes a Controller"


def _is_scope(node: ast.ClassDef) -> bool:
    bases = [ast.unparse(base) for base in node.bases]
    return any(base == "Scope" or base.endswith("Scope") for base in bases)


def _tuples(tree: ast.Module) -> list[str]:
    """Module constants that are sequences of phases."""
    return [
        ast.unparse(node.target)
        for node in tree.body
        if isinstance(node, ast.AnnAssign) and "Phase[" in ast.unparse(node.annotation)
    ]


def _writes(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Await(value=ast.Call(func=ast.Attribute(attr=verb))) if verb in WRITES:
                yield verb
            case _:
                pass


def _calls_controller(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func) == "Controller"


def found() -> dict[str, list[str]]:
    every = {
        str(path.relative_to(OPERATORS)): list(
            offences(str(path.relative_to(folder)), ast.parse(path.read_text()))
        )
        for folder in FOLDERS
        for path in modules(folder)
    }
    return {path: why for path, why in every.items() if why}


def test_each_module_does_what_its_name_says() -> None:
    assert found() == {}


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(OPERATORS)))
def test_each_controller_has_a_scope_of_its_own(folder: Path) -> None:
    assert (folder / "scope.py").is_file()


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda path: str(path.relative_to(OPERATORS)))
def test_what_is_pure_is_in_rules(folder: Path) -> None:
    """A subject may keep the small rules that it alone needs; a module of nothing else may not."""
    beside = [
        path.name
        for path in folder.glob("*.py")
        if path.name not in PLAIN and is_pure(ast.parse(path.read_text()))
    ]
    assert [name for name in beside if name not in HOLDS_STATE] == []


#: Pure as functions are, but not rules: limits, indexes of the cache, and what outlives a pass.
HOLDS_STATE = frozenset({"deadline.py", "indexes.py", "steady_state.py"})


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("rules/x.py", "async def look(scope): ...", "is not pure"),
        ("rules/x.py", "from hypershift.kube import Client", "is not pure"),
        ("rules/x.py", "from hypershift.operators.pki.scope import SignerScope", "is not pure"),
        ("look.py", "async def look(scope): await scope.kube.apply({})", "writes by apply"),
        ("gather.py", "", "is called gather"),
        ("phases.py", "", "is called phases"),
        ("token_phases.py", "", "is called token_phases"),
        ("token.py", "class TokenScope(Scope): ...", "defines TokenScope"),
        ("token.py", "NORMAL: Sequence[Phase[PoolScope]] = ()", "declares NORMAL"),
        ("token.py", "made = Controller(name='x')", "makes a Controller"),
    ],
)
def test_an_offence_is_found(name: str, text: str, why: str) -> None:
    assert list(offences(name, ast.parse(text))) == [why]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("scope.py", "class TokenScope(Scope): ..."),
        ("controller.py", "NORMAL: Sequence[Phase[PoolScope]] = ()\nmade = Controller(name='x')"),
        ("rules/conditions.py", "def available(plane): return true(X)"),
        ("token.py", "async def publish_token(scope): ..."),
    ],
)
def test_what_a_name_promises_is_no_offence(name: str, text: str) -> None:
    assert list(offences(name, ast.parse(text))) == []


def phases(tree: ast.Module) -> set[str]:
    """The public functions of a module that a controller can run."""
    return {
        node.name
        for node in tree.body
        if isinstance(node, ast.AsyncFunctionDef)
        and node.returns is not None
        and ast.unparse(node.returns) == "Outcome"
        and not node.name.startswith("_")
    }


def names_used(tree: ast.AST) -> set[str]:
    """What a module refers to by name; an import alone refers to nothing."""
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return names | {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}


def test_each_phase_is_run() -> None:
    trees = {path: ast.parse(path.read_text()) for path in OPERATORS.rglob("*.py")}
    used = {name for tree in trees.values() for name in names_used(tree)}
    left_out = {
        str(path.relative_to(OPERATORS)): names
        for path, tree in trees.items()
        if (names := phases(tree) - used)
    }
    assert left_out == {}


def test_a_phase_that_no_controller_runs_is_found() -> None:
    tree = ast.parse("async def report_labels(scope: GuestScope) -> Outcome: ...")
    assert phases(tree) - names_used(tree) == {"report_labels"}
    assert phases(tree) - names_used(ast.parse("NORMAL = (status.report_labels,)")) == set()


def others_imported(tree: ast.Module, own: str) -> list[str]:
    """Controllers in other folders that a module of the controller `own` imports."""
    every = {".".join(folder.relative_to(OPERATORS).parts) for folder in FOLDERS}
    related = {each for each in every if f"{each}.".startswith(own) or own.startswith(f"{each}.")}
    names = [
        node.module.removeprefix("hypershift.operators.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module
    ]
    return [each for each in names if any(_is_below(each, one) for one in every - related)]


def _is_below(module: str, folder: str) -> bool:
    return module == folder or module.startswith(f"{folder}.")


def test_controllers_do_not_import_each_other() -> None:
    wrong = {
        str(path.relative_to(OPERATORS)): told
        for folder in FOLDERS
        for path in modules(folder)
        if (
            told := others_imported(
                ast.parse(path.read_text()), ".".join(folder.relative_to(OPERATORS).parts)
            )
        )
    }
    assert wrong == {}


@pytest.mark.parametrize(
    ("own", "module", "wrong"),
    [
        ("hypershift.hosted_cluster", "hypershift.node_pool.names", True),
        ("hypershift.node_pool", "hypershift.hosted_cluster", True),
        ("guest_config", "pki.revocation.leaves", True),
        ("hypershift.node_pool", "hypershift.node_pool.janitor.secrets", False),
        ("hypershift.node_pool.janitor", "hypershift.node_pool.names", False),
        ("hypershift.node_pool", "hypershift.ownership", False),
    ],
)
def test_an_import_of_another_controller_is_found(own: str, module: str, *, wrong: bool) -> None:
    tree = ast.parse(f"from hypershift.operators.{module} import something")
    assert bool(others_imported(tree, own)) is wrong
