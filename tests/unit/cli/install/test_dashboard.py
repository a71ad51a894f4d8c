import json

from hypershift.cli.install.dashboard import dashboard_template


def test_the_template_is_json_with_the_placeholders_that_the_operator_fills_in() -> None:
    text = dashboard_template("elsewhere")["data"]["template"]
    board = json.loads(text)
    assert [row["title"] for row in board["rows"]] == ["CPU", "Memory"]
    for placeholder in ("__NAMESPACE__", "__NAME__", "__CONTROL_PLANE_NAMESPACE__"):
        assert placeholder in text
