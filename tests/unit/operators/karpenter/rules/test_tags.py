"""What is said of tags that cluster and class both have."""

import pytest

from hypershift.api.platforms.aws import AWSClusterTag
from hypershift.operators.karpenter.rules import tags


def a_tag(key: str, value: str, policy: str | None = None) -> AWSClusterTag:
    return AWSClusterTag(key=key, value=value, override_policy=policy)


@pytest.mark.parametrize(
    ("ours", "theirs", "said"),
    [
        ([], {"a": "1"}, None),
        ([a_tag("a", "1")], None, None),
        ([a_tag("a", "1")], {"a": "1"}, ("False", "No AWS resource tag conflicts detected")),
        ([a_tag("a", "1")], {"a": "2"}, ("True", "1 AWS resource tag conflict(s) detected")),
        (
            [a_tag("a", "1", "Allow")],
            {"a": "2"},
            ("False", "1 AWS resource tag override(s) applied"),
        ),
        (
            [a_tag("a", "1", "Allow"), a_tag("b", "1")],
            {"a": "2", "b": "2"},
            ("True", "1 override(s) applied (allowed by HostedCluster)"),
        ),
    ],
)
def test_a_conflict_is_told(
    ours: list[AWSClusterTag], theirs: dict[str, str] | None, said: tuple[str, str] | None
) -> None:
    found = tags.conflict(ours, theirs)
    if said is None:
        assert found is None
    else:
        assert found is not None
        assert found.status == said[0]
        assert said[1] in found.message
