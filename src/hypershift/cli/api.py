"""`hypershift api`: the custom resource definitions and their reference pages, as files."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePath

import yaml

from hypershift.cli.command import Command
from hypershift.cli.flags import STRING_ARRAY, Flag, choice
from hypershift.cli.typed import Typed

SETS = ("Default", "TechPreviewNoUpgrade", "CustomNoUpgrade")

FEATURE_SET = Flag(
    "feature-set",
    f"Only the definitions of this feature set: {', '.join(SETS)} (default: all of them)",
    choice("string", SETS, lambda _word: f"must be one of {', '.join(SETS)}"),
)
GATE = Flag("gate", "Also switch this feature gate on; may be repeated", STRING_ARRAY)
OUTPUT = Flag(
    "output", "Directory to write to; made when it is not there", short="o", required=True
)


@dataclass(frozen=True, slots=True)
class Output:
    """Where files are written."""

    output: str


@dataclass(frozen=True, slots=True)
class Definitions(Output):
    """What `api crds` is given."""

    feature_set: str
    gate: tuple[str, ...]


def crds(options: Definitions) -> None:
    from hypershift.api.schema import FeatureSet, files  # noqa: PLC0415 - `--help` stays instant

    asked = options.feature_set
    sets = (FeatureSet(asked),) if asked else tuple(FeatureSet)
    made = files(sets, options.gate)
    _write(options, ((path, _yaml(manifest)) for path, manifest in made.items()))


def policies(options: Output) -> None:
    from hypershift.api.policies import policies as made  # noqa: PLC0415 - `--help` stays instant

    _write(options, [(PurePath("policies.yaml"), "---\n".join(_yaml(each) for each in made()))])


def docs(options: Output) -> None:
    from hypershift.api.docs import pages  # noqa: PLC0415 - `--help` stays instant

    _write(options, ((PurePath(name), text) for name, text in pages().items()))


def support(options: Output) -> None:
    from hypershift.operators.hypershift.support import page  # noqa: PLC0415 - as above

    _write(options, [(PurePath("support.md"), page())])


def _yaml(manifest: dict[str, object]) -> str:
    # In C: the definitions of all feature sets are some 80,000 lines.
    return yaml.dump(manifest, Dumper=yaml.CSafeDumper, width=1000, allow_unicode=True)


def _write(options: Output, files: Iterable[tuple[PurePath, str]]) -> None:
    root = Path(options.output)
    count = 0
    for path, text in files:
        target = root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
        count += 1
    sys.stdout.write(f"{count} files written to {root}\n")


COMMAND = Command(
    "api",
    "Custom resource definitions and their documentation",
    description="Writes what is derived from the declarations of our API kinds.",
    commands=(
        Command(
            "crds",
            "Write the custom resource definitions",
            examples=(
                "  hypershift api crds --output crds\n"
                "  hypershift api crds --feature-set Default --gate LocalPlatform -o crds"
            ),
            run=Typed(Definitions, crds),
            flags=(FEATURE_SET, GATE, OUTPUT),
        ),
        Command(
            "policies",
            "Write the admission policies that stand in for a webhook",
            run=Typed(Output, policies),
            flags=(OUTPUT,),
        ),
        Command(
            "docs", "Write the reference pages (Markdown)", run=Typed(Output, docs), flags=(OUTPUT,)
        ),
        Command(
            "support",
            "Write which settings are honoured, refused or ignored (Markdown)",
            run=Typed(Output, support),
            flags=(OUTPUT,),
        ),
    ),
)
