"""Writes the reference pages of the API, out of the declarations themselves."""

from hypershift.api.docs.limits import cell
from hypershift.api.docs.shapes import below, page_of, section
from hypershift.api.docs.words import words_page
from hypershift.api.kind import Kind, Resource
from hypershift.api.kinds import all_kinds
from hypershift.api.schema.features import GATES
from hypershift.api.struct import Shape

__all__ = ["pages"]

_NOTE = "<!-- Written by `hypershift api docs`; change the declarations in `api/` instead. -->\n\n"

#: The modules of `api/conditions` that declare what our own kinds state, in the page's order.
_CONDITIONS = ("hosted_cluster", "hosted_control_plane", "node_pool", "common", "others", "local")


def pages() -> dict[str, str]:
    """Every page by file name."""
    made = {"README.md": _index(), **_shape_pages(), **_word_pages()}
    return {name: _NOTE + text for name, text in sorted(made.items())}


def _shape_pages() -> dict[str, str]:
    by_page: dict[str, list[type[Shape]]] = {}
    for _, kind_shape in all_kinds():
        for shape in below(kind_shape):
            known = by_page.setdefault(page_of(shape), [])
            if shape not in known:
                known.append(shape)
    return {f"{page}.md": _page(page, shapes) for page, shapes in by_page.items()}


def _page(page: str, shapes: list[type[Shape]]) -> str:
    title = page.replace("_", " ").capitalize()
    return f"# {title}\n\n" + "\n".join(section(shape) for shape in shapes)


def _word_pages() -> dict[str, str]:
    return {
        "conditions.md": words_page(
            "Conditions",
            "What our objects state about themselves, and the reasons they give.",
            tuple(f"conditions/{name}.py" for name in _CONDITIONS),
        ),
        "annotations.md": words_page(
            "Annotations",
            "On a HostedCluster unless said otherwise.",
            ("annotations.py", "finalizers.py"),
        ),
        "labels.md": words_page("Labels", "By which our objects are found.", ("labels.py",)),
    }


def _index() -> str:
    rows = [_kind_row(kind, shape) for kind, shape in all_kinds()]
    gates = [f"| {gate} | {first or 'none: asked for by name'} |" for gate, first in GATES.items()]
    return "\n".join(
        [
            "# API reference",
            "",
            "| Kind | Version | Short names | Scope | What it is |",
            "|---|---|---|---|---|",
            *rows,
            "",
            "Words: [conditions](conditions.md), [annotations](annotations.md),",
            "[labels](labels.md).",
            "",
            "## Feature gates",
            "",
            "A gate is on in its first feature set and in those after it: Default,",
            "TechPreviewNoUpgrade, CustomNoUpgrade.",
            "",
            "| Gate | First feature set |",
            "|---|---|",
            *gates,
            "",
        ]
    )


def _kind_row(kind: Kind, shape: type[Resource]) -> str:
    link = f"[{kind.name}]({page_of(shape)}.md#{shape.__name__.lower()})"
    scope = "namespace" if kind.namespaced else "cluster"
    if kind.gate:
        scope += f", gate {kind.gate}"
    names = ", ".join(kind.short_names)
    return f"| {link} | {kind.api_version} | {names} | {scope} | {cell(kind.description)} |"
