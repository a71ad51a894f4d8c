"""The HyperShift operator as the embedded cluster runs it: Shared, from its own registry."""

from collections.abc import Sequence

from hypershift.kit import Manifest
from hypershift.local.images import Published
from hypershift.local.state import Spec
from hypershift.operators.hypershift import Mode
from hypershift.operators.hypershift.install import InstallSettings, manifests
from hypershift.payload import REGISTRY


def operator_of(spec: Spec, made: Published) -> Sequence[Manifest]:
    """The very objects that an installation on any other cluster has."""
    settings = InstallSettings(
        image=made.images["hypershift"],
        mode=Mode.SHARED,
        registry_mirrors={REGISTRY: f"http://{spec.plan.registry}"},
        # The management API server answers on the machines' bridge: no control plane needs either.
        egress_block_cidrs=(str(spec.plan.machines),),
    )
    return manifests(settings)
