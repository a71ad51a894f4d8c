import pytest

from hypershift.cli.nodepool.selector import parse_selector
from hypershift.kit import UsageError


@pytest.mark.parametrize(
    ("text", "selector"),
    [
        ("size=large", {"matchLabels": {"size": "large"}}),
        ("size==large", {"matchLabels": {"size": "large"}}),
        (
            "size=large,zone notin (az2,az1)",
            {
                "matchLabels": {"size": "large"},
                "matchExpressions": [
                    {"key": "zone", "operator": "NotIn", "values": ["az1", "az2"]}
                ],
            },
        ),
        (
            "zone in (a),!old",
            {
                "matchExpressions": [
                    {"key": "old", "operator": "DoesNotExist"},
                    {"key": "zone", "operator": "In", "values": ["a"]},
                ]
            },
        ),
        ("gpu", {"matchExpressions": [{"key": "gpu", "operator": "Exists"}]}),
        ("!old", {"matchExpressions": [{"key": "old", "operator": "DoesNotExist"}]}),
        ("a!=b", {"matchExpressions": [{"key": "a", "operator": "NotIn", "values": ["b"]}]}),
    ],
)
def test_selectors_read_as_kubectl_reads_them(text: str, selector: object) -> None:
    assert parse_selector(text) == selector


def test_a_malformed_selector_is_an_ordinary_error() -> None:
    with pytest.raises(UsageError, match="unable to parse label selector"):
        parse_selector("=,(")
