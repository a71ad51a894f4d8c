"""Credentials of AWS: a role that is named in a file, and the token by which it is taken on."""

from hypershift.api.platforms.aws import AWSPlatform
from hypershift.component import edit
from hypershift.component.view import View
from hypershift.kit import InvalidSpec, Manifest
from hypershift.kit.lines import one_line

VOLUME, FOLDER = "provider-creds", "/etc/provider"
TOKEN_FILE = "/var/run/secrets/openshift/serviceaccount/token"  # noqa: S105 - a path


def platform(view: View) -> AWSPlatform:
    """The cluster's section for AWS."""
    found = view.spec.platform.aws
    if found is None:
        raise InvalidSpec("the cluster says nothing of AWS", field="spec.platform.aws")
    return found


def role_file(role: str) -> str:
    """The file that names a role, as AWS' libraries read it."""
    lines = (
        "[default]",
        f"role_arn = {one_line(role, 'spec.platform.aws.rolesRef')}",
        f"web_identity_token_file = {TOKEN_FILE}",
        "sts_regional_endpoints = regional",
        "",
    )
    return "\n".join(lines)


def with_credentials(view: View, manifest: Manifest, container: str, secret: str) -> Manifest:
    """Let a container act on AWS by the credentials of a Secret."""
    manifest = edit.set_env(
        manifest,
        container,
        {
            "AWS_SHARED_CREDENTIALS_FILE": f"{FOLDER}/credentials",
            "AWS_REGION": platform(view).region,
            "AWS_SDK_LOAD_CONFIG": "true",
        },
    )
    manifest = edit.mount(manifest, container, {VOLUME: FOLDER})
    return edit.add_volumes(manifest, edit.secret_volume(VOLUME, secret))
