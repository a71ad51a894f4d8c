"""`control-plane-pki-operator operator`: the PKI operator under the name that its Deployment calls.

The Deployment is the original's, so the program in our image answers to the same command line.
"""

from hypershift.cli.command import Command
from hypershift.cli.flags import Flag
from hypershift.cli.roles.common import COMMON, HEALTH, POD_NAME
from hypershift.cli.roles.dedicated import PlaceOptions, run_pki_operator
from hypershift.cli.typed import Typed

FLAGS = (
    Flag("namespace", "The control plane namespace", required=True),
    Flag("config", "Configuration of the original's server; nothing of it is needed"),
    Flag("terminate-on-files", "Does nothing: certificates are reread"),
    POD_NAME,
    HEALTH,
    *COMMON,
)
COMMAND = Command(
    "control-plane-pki-operator",
    "Break-glass signers of one control plane",
    commands=(
        Command(
            "operator",
            "Keep the signers of one control plane, and sign with them",
            run=Typed(PlaceOptions, run_pki_operator),
            flags=FLAGS,
        ),
    ),
)
