from hypothesis import given
from hypothesis import strategies as st

from hypershift.kit import Secret


@given(st.text(min_size=1))
def test_a_secret_never_shows_itself(value: str) -> None:
    secret = Secret(value)
    assert f"{secret} {secret!r}" == "<redacted> <redacted>"
    assert secret.reveal() == value
    assert secret.matches(value)
    assert not secret.matches(value + "x")
    assert secret == Secret(value)
