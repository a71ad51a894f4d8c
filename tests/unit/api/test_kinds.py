"""The kinds as a whole: complete, described, cheap to import."""

import subprocess
import sys

import pytest

import hypershift.api
from hypershift.api.docs.shapes import below
from hypershift.api.facts import facts_of
from hypershift.api.kinds import KINDS, all_kinds, resource_class
from hypershift.api.struct import Shape, struct_fields


def all_shapes() -> list[type[Shape]]:
    found = {shape: None for _, kind in all_kinds() for shape in below(kind)}
    return list(found)


@pytest.mark.parametrize("shape", all_shapes(), ids=lambda shape: shape.__name__)
def test_every_field_says_what_it_means(shape: type[Shape]) -> None:
    for facts in facts_of(shape):
        text = facts.description
        assert len(text) > 3, f"{shape.__name__}.{facts.name} has no description"
        assert text.endswith((".", "`")), f"{shape.__name__}.{facts.name}: {text!r}"
        assert "TODO" not in text


def test_names_of_shapes_are_unique_so_that_a_reader_can_find_them() -> None:
    names = [shape.__name__ for shape in all_shapes()]
    assert sorted(names) == sorted(set(names))


def test_python_names_and_wire_names_pair_one_to_one() -> None:
    for shape in all_shapes():
        wires = [each.wire for each in struct_fields(shape)]
        assert len(wires) == len(set(wires))


def test_the_face_offers_every_kind() -> None:
    assert KINDS.keys() <= set(hypershift.api.__all__)
    for name in KINDS:
        assert getattr(hypershift.api, name) is resource_class(name)


def test_the_face_refuses_other_names() -> None:
    with pytest.raises(AttributeError, match="Bogus"):
        _ = hypershift.api.Bogus


def test_importing_the_package_imports_no_kind() -> None:
    code = "import sys, hypershift.api; print('hypershift.api.hosted_cluster' in sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout.strip() == "False"
