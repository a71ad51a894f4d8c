"""Keep secrets out of a dump: values of Secrets, keys and tokens wherever they are written."""

import re
from base64 import b64encode
from typing import Any

from hypershift.kit import Manifest

LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration"
MASK = "<masked>"
#: Names of environment variables and arguments whose values are secret.
PRIVATE_NAME = re.compile(r"(?i)(password|passwd|secret|token|credential|api_?key|private_?key)")

#: What a private key looks like once it is base64: its first line, at each of the three offsets.
_HEADS = ("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY")
_ENCODED = "|".join(
    re.escape(b64encode(f"-----BEGIN {head}".encode()).decode().rstrip("=")[:20]) for head in _HEADS
)
_END = r"(?:-----END \1PRIVATE KEY-----|\Z)"
#: What is masked completely, and what is masked behind its name. A log may be anybody's: no pattern
#: begins twice within what another attempt has read, or the time would grow with the square.
_WHOLE = (
    rf"(?s)-----BEGIN ([A-Z ]*)PRIVATE KEY-----.*?{_END}",
    rf"(?:{_ENCODED})[A-Za-z0-9+/=\\n]*",
    # a signed token: header, claims and signature, each base64url
    r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]+",
)
_BEHIND = (
    r"""(?i)(client-key-data["']?\s*[:=]\s*["']?)[A-Za-z0-9+/=]+""",
    r"""(?i)(\bauthorization["']?\s*[:=]\s*["']?(?:bearer|basic)\s+)[^\s"',]+""",
    r"""(?i)(\bbearer\s+)[A-Za-z0-9._~+/=-]{16,}""",
    r"""(["']auth["']\s*:\s*["'])[^"']+""",
    r"""(?m)(^[ \t]*["']?(?:token|password|(?:id|refresh)-token)["']?\s*:\s*["']?)[^\s"',{\[]+""",
)
_PATTERNS = (
    *((re.compile(each), MASK) for each in _WHOLE),
    *((re.compile(each), rf"\1{MASK}") for each in _BEHIND),
)


def text(content: str) -> str:
    """A text without the secrets that can be recognised by their form."""
    for pattern, instead in _PATTERNS:
        content = pattern.sub(instead, content)
    return content


def manifest(found: Manifest) -> Manifest:
    """An object as a dump may show it; managed fields are left out."""
    metadata = {key: value for key, value in found["metadata"].items() if key != "managedFields"}
    shown = {**found, "metadata": metadata}
    if found.get("kind") == "Secret":
        return _secret(shown)
    masked: Manifest = _private_values(shown)
    return masked


def _secret(found: Manifest) -> Manifest:
    metadata = dict(found["metadata"])
    annotations = metadata.get("annotations") or {}
    metadata["annotations"] = {
        name: value for name, value in annotations.items() if name != LAST_APPLIED
    }
    shown = {**found, "metadata": metadata}
    for field in ("data", "stringData"):
        if found.get(field):
            shown[field] = {
                key: f"<masked: {len(value)} characters>" for key, value in found[field].items()
            }
    return shown


def _private_values(node: Any) -> Any:
    """The same tree, with the values of `{name: PASSWORD, value: ...}` masked."""
    if isinstance(node, list):
        return [_private_values(item) for item in node]
    if not isinstance(node, dict):
        return node
    name = node.get("name")
    if isinstance(name, str) and isinstance(node.get("value"), str) and PRIVATE_NAME.search(name):
        return {**node, "value": MASK}
    return {key: _private_values(value) for key, value in node.items()}
