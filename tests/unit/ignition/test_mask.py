"""What of a configuration may be seen."""

import json
from typing import Any

from hypershift.ignition import encode, file, mask
from hypershift.ignition.config import Config, Storage


def shown(*files: Any) -> str:
    document = json.loads(encode(Config(storage=Storage(files=files))))
    return json.dumps(mask.masked(document))


def test_private_files_are_masked_and_others_are_not() -> None:
    text = shown(file("/a", "hidden-1", 0o600), file("/b", "plain", 0o644))
    assert "hidden-1" not in text
    assert mask.MASK in text
    assert "plain" in text
    assert '"/a"' in text


def test_a_secret_that_everybody_may_read_is_masked_all_the_same() -> None:
    for content in ("-----BEGIN RSA PRIVATE KEY-----", '{"auths":{"x":{"auth":"eA=="}}}'):
        assert mask.MASK in shown(file("/a", content, 0o644))
        assert mask.MASK in shown(file("/a", content, 0o644, compress=True))


def test_headers_and_password_hashes_are_masked_wherever_they_are() -> None:
    document = {
        "ignition": {
            "config": {"merge": [{"httpHeaders": [{"name": "Authorization", "value": "Bearer x"}]}]}
        },
        "passwd": {"users": [{"name": "core", "passwordHash": "$6$", "sshAuthorizedKeys": ["k"]}]},
    }
    text = str(mask.masked(document))
    assert "Bearer" not in text
    assert "$6$" not in text
    assert "'k'" in text
