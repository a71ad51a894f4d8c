"""The built-in OAuth server: its pages and tokens."""

from __future__ import annotations

from typing import Annotated

from hypershift.api.configuration.identity_providers import IdentityProvider
from hypershift.api.meta import NameReference
from hypershift.api.shape import Field, Go, Int32, Refers, Rule, Shape, constrained


@constrained(
    Rule(
        (
            "!has(self.tokenConfig) ||"
            " !has(self.tokenConfig.accessTokenInactivityTimeout) || duration(self."
            "tokenConfig.accessTokenInactivityTimeout).getSeconds() >= 300"
        ),
        (
            "spec.configuration.oauth.tokenConfig.accessTokenInactivityTimeout"
            " minimum acceptable token timeout value is 300 seconds"
        ),
    ),
)
class OAuth(Shape):
    """The built-in OAuth server. A change restarts it."""

    identity_providers: Annotated[
        tuple[IdentityProvider, ...],
        Field(
            (
                "Where users log in; several may be offered. With the first one, the initial"
                " administrator's password is gone."
            ),
            list_type="atomic",
        ),
    ] = ()
    token_config: Annotated[TokenConfig | None, Field("How long logins last.")] = None
    templates: Annotated[OAuthTemplates | None, Field("Your HTML for its pages.")] = None


class OAuthTemplates(Shape):
    """Your HTML for the OAuth server's pages."""

    login: Annotated[
        NameReference | None,
        Field("Secret (key `login.html`) with the page to log in.", refers=Refers.SECRET),
    ] = None
    provider_selection: Annotated[
        NameReference | None,
        Field(
            "Secret (key `providers.html`) with the page to choose a provider.",
            refers=Refers.SECRET,
        ),
    ] = None
    error: Annotated[
        NameReference | None,
        Field("Secret (key `errors.html`) with the page for errors.", refers=Refers.SECRET),
    ] = None


class TokenConfig(Shape):
    """How long logins last."""

    access_token_max_age_seconds: Annotated[
        Int32 | None, Field("How long a token lives, in seconds; 0 means the default of 24 hours.")
    ] = None
    access_token_inactivity_timeout_seconds: Annotated[
        Int32 | None, Field("Older form of the above, in seconds; ignored.")
    ] = None
    access_token_inactivity_timeout: Annotated[
        str | None,
        Field(
            "How long a token may be unused before it expires, as a Go duration of at least"
            " 5m; `0s` and unset mean for ever.",
            go=Go.DURATION,
        ),
    ] = None
