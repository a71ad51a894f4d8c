"""`hypershift-operator`: the operator under the name and with the flags of the original's program.

The Deployment that `install` makes is the original's, so the program in our image answers to the
same command line. Flags whose work is not built here are taken and named in the log.
"""

from dataclasses import astuple, dataclass
from pathlib import Path

from hypershift.cli.command import Command
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.roles.operator import OperatorOptions, flags, run_operator
from hypershift.cli.typed import Nothing, Typed

#: Where the init container finds certificates, and where it leaves them for the operator.
INJECTED = Path("/var/run/ca-trust/tls-ca-bundle.pem")
SYSTEM = Path("/etc/ssl/certs/ca-certificates.crt")
BUNDLE = Path("/trust-bundle/tls-ca-bundle.pem")

#: Flags of the original's operator whose work belongs to platforms that are not built here.
UNUSED = (
    Flag("deployment-name", "Does nothing: --pod-name is used"),
    Flag("cert-dir", "Directory of the certificate of webhooks"),
    Flag("gcp-oidc-storage-bucket-name", "Bucket of OIDC documents on Google Cloud"),
    Flag("enable-uwm-telemetry-remote-write", "Send telemetry of user workload monitoring", BOOL),
    Flag("enable-validating-webhook", "Validate by a webhook", BOOL),
    Flag(
        "enable-dedicated-request-serving-isolation",
        "Isolate request serving nodes",
        BOOL,
        default=True,
    ),
    Flag("scale-from-zero-provider", "Cloud whose machine sizes are looked up"),
    Flag("scale-from-zero-creds", "File with the credentials for that"),
)
#: Private links are made wherever the operator has keys and the cluster a kind for them.
PRIVATE_PLATFORM = Flag("private-platform", "Cloud of private clusters", default="None")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnusedOptions:
    """The values of `UNUSED`, in their order."""

    deployment_name: str
    cert_dir: str
    gcp_oidc_storage_bucket_name: str
    enable_uwm_telemetry_remote_write: bool
    enable_validating_webhook: bool
    enable_dedicated_request_serving_isolation: bool
    scale_from_zero_provider: str
    scale_from_zero_creds: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramOptions:
    """What the program in our image is given."""

    operator: OperatorOptions
    unused: UnusedOptions


async def run(options: ProgramOptions) -> None:
    """Run the operator with the flags of its pod."""
    given = zip(UNUSED, astuple(options.unused), strict=True)
    idle = [flag.name for flag, value in given if value != flag.default]
    await run_operator(options.operator, without_effect=tuple(idle))


def init(_: Nothing) -> int:
    """Bring the certificates that the operator trusts to where it looks for them."""
    source = INJECTED if INJECTED.exists() else SYSTEM
    BUNDLE.write_bytes(source.read_bytes() if source.exists() else b"")
    return 0


COMMAND = Command(
    "hypershift-operator",
    "The HyperShift operator",
    commands=(
        Command(
            "run",
            "Run the operator",
            run=Typed(ProgramOptions, run),
            flags=(*flags("dedicated"), PRIVATE_PLATFORM, *UNUSED),
        ),
        Command(
            "init", "Prepare the certificates that the operator trusts", run=Typed(Nothing, init)
        ),
    ),
)
