"""Which definitions an installation gets, and the files they are written to."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib import resources
from pathlib import PurePosixPath

import yaml

from hypershift.api.kind import Cluster, Kind, Profile
from hypershift.api.kinds import all_kinds
from hypershift.api.schema.crd import crd, with_contract
from hypershift.api.schema.features import FeatureSet, gates_of, is_on
from hypershift.kit import Manifest

#: The third-party kinds of Karpenter that hosted clusters get, shipped as they are published.
_KARPENTER = "data/karpenter"


def crds(
    feature_set: FeatureSet = FeatureSet.DEFAULT,
    gates: Iterable[str] = (),
    *,
    cluster: Cluster = Cluster.MANAGEMENT,
) -> list[Manifest]:
    """The definitions to install in a management (or hosted) cluster, contract labels included."""
    on = gates_of(feature_set, gates)
    made = [
        with_contract(crd(kind, shape, feature_set, on), kind)
        for kind, shape in all_kinds()
        if kind.cluster is cluster and is_on(kind.gate, on)
    ]
    return made if cluster is Cluster.MANAGEMENT else made + list(karpenter_crds().values())


def files(
    feature_sets: Iterable[FeatureSet] = tuple(FeatureSet), gates: Iterable[str] = ()
) -> dict[PurePosixPath, Manifest]:
    """Every definition by file name: one per feature set for gated kinds, one for the others."""
    extra = tuple(gates)
    found: dict[PurePosixPath, Manifest] = {}
    for feature_set in feature_sets:
        on = gates_of(feature_set, extra)
        for kind, shape in all_kinds():
            path = file_name(kind, feature_set)
            if path not in found and is_on(kind.gate, on):
                found[path] = crd(kind, shape, feature_set, on)
    for name, manifest in karpenter_crds().items():
        found[PurePosixPath("karpenter-operator") / name] = manifest
    return found


def file_name(kind: Kind, feature_set: FeatureSet) -> PurePosixPath:
    """Where a kind's definition is written, below the output directory."""
    if kind.cluster is Cluster.HOSTED:
        return PurePosixPath("karpenter-operator", f"{kind.group}_{kind.plural}.yaml")
    folder = PurePosixPath("hypershift-operator")
    if not kind.profiles:
        return folder / f"{kind.group}_{kind.plural}.yaml"
    return folder / "zz_generated.crd-manifests" / "".join(_variant(kind, feature_set))


def _variant(kind: Kind, feature_set: FeatureSet) -> Iterator[str]:
    yield kind.plural
    if kind.profiles == (Profile.HYPERSHIFT,):
        yield "-Hypershift"
    if kind.gated:
        yield f"-{feature_set}"
    yield ".crd.yaml"


@lru_cache(maxsize=1)
def karpenter_crds() -> dict[str, Manifest]:
    """The third-party Karpenter definitions by file name."""
    folder = resources.files("hypershift.api") / _KARPENTER
    kept = (each for each in folder.iterdir() if each.name.endswith(".yaml"))
    found = sorted(kept, key=lambda each: each.name)
    return {each.name: yaml.load(each.read_bytes(), yaml.CSafeLoader) for each in found}
