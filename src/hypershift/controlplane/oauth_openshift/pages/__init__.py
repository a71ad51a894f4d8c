"""The pages that users see while they log in, unless the cluster has pages of its own."""

from functools import cache
from pathlib import Path

from hypershift.component import Asset, View, edit
from hypershift.kit import Manifest


def page(name: str, file: str) -> Asset:
    """Declare the Secret with a page."""

    def adapt(_view: View, manifest: Manifest) -> Manifest:
        return edit.set_data(manifest, {file: _text(file)})

    stub = {
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": {"name": f"oauth-openshift-default-{name}-template"},
        "type": "Opaque",
    }
    return Asset(stub=stub, adapt=adapt)


@cache
def _text(file: str) -> str:
    return (Path(__file__).parent / file).read_text()
