"""YAML as go-yaml v2 reads and writes it, byte for byte.

The configuration of a NodePool is hashed as text that the original re-encodes with go-yaml; a
single other byte would roll every node, so the reader and the writer here follow its rules.
"""

from hypershift.ignition.goyaml.emit import emit
from hypershift.ignition.goyaml.gojson import to_json
from hypershift.ignition.goyaml.load import YamlError, load
from hypershift.kit.budget import MEBIBYTE, Budget

__all__ = ["YamlError", "emit", "json_to_yaml", "load", "to_json"]

#: A user's document once its aliases and the escapes of JSON are written out.
_WRITTEN = Budget(size=16 * MEBIBYTE, nodes=500_000)


def json_to_yaml(value: object) -> str:
    """The YAML text of a JSON value, by way of its JSON text as the original does it.

    The detour matters: JSON text is read back as YAML, where U+0085 folds to a blank and U+007F
    is refused.
    """
    return emit(load(to_json(value), _WRITTEN))
