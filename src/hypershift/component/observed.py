"""What the guest's administrators configure inside the guest, as it was copied out of it."""

from typing import Any

from hypershift.component.view import View
from hypershift.kit.budget import BadDocument
from hypershift.kit.documents import read

KEY = "config"


def spec(view: View, kind: str) -> dict[str, Any]:
    """The spec of a configuration object of the guest (`build`, `project`).

    It is another party's document: one that cannot be read counts as none.
    """
    try:
        found = read(view.text(f"observed-config-{kind}", KEY) or "{}")
    except BadDocument:
        return {}
    said = found.get("spec") if isinstance(found, dict) else None
    return said if isinstance(said, dict) else {}
