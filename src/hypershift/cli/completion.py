"""`completion SHELL`: scripts that ask this program what may come next.

A script runs `PROGRAM __complete WORDS... LAST` and gets one candidate a line, its description
behind a tab, and at the end `:N` (4: no file names, 0: file names will do).
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass

from hypershift.cli.command import Command, flags_of, follow
from hypershift.cli.flags import BOOL, Flag
from hypershift.cli.typed import Typed

ASK = "__complete"
ASK_PLAIN = "__completeNoDesc"
FILES, NO_FILES = 0, 4
Candidate = tuple[str, str]


def answer(root: Command, words: list[str]) -> str:
    """The output of `__complete` for a command line whose last word is unfinished."""
    plain = words[0] == ASK_PLAIN
    found, directive = candidates(root, words[1:])
    lines = [name if plain or not about else f"{name}\t{about}" for name, about in found]
    return "".join(f"{line}\n" for line in (*lines, f":{directive}"))


def candidates(root: Command, words: list[str]) -> tuple[list[Candidate], int]:
    """The candidates for the last word, and whether file names are candidates too."""
    *before, last = words or [""]
    path, flag = follow(root, before)
    if flag is not None:
        return _values(flag, last), NO_FILES if flag.type.choices else FILES
    name, equals, value = last.partition("=")
    if equals and name.startswith("--"):
        flag = flags_of(path).get(name[2:])
        if flag is None:
            return [], NO_FILES
        return [(f"{name}={each}", "") for each, _ in _values(flag, value)], FILES
    if last.startswith("-"):
        return [each for each in _flags(path) if each[0].startswith(last)], NO_FILES
    directive = FILES if path[-1].arguments else NO_FILES
    return [each for each in _commands(path[-1]) if each[0].startswith(last)], directive


def _values(flag: Flag, begun: str) -> list[Candidate]:
    known = ("true", "false") if flag.type is BOOL else flag.type.choices
    return [(each, "") for each in known if each.startswith(begun)]


def _flags(path: tuple[Command, ...]) -> Iterator[Candidate]:
    for flag in sorted(flags_of(path).values(), key=lambda each: each.name):
        if not flag.hidden and not flag.deprecated:
            yield f"--{flag.name}", flag.help
    yield "--help", "Show this help"


def _commands(command: Command) -> Iterator[Candidate]:
    for child in command.commands:
        if not child.hidden:
            yield child.name, child.summary


BASH = """\
# bash completion for {program}; load it with: source <({program} completion bash)
__{word}_complete() {{
    local line directive words=("${{COMP_WORDS[@]:1:COMP_CWORD}}")
    COMPREPLY=()
    while IFS= read -r line; do
        case "$line" in
            :*) directive="${{line#:}}" ;;
            *) COMPREPLY+=("${{line%%$'\\t'*}}") ;;
        esac
    done < <({program} {ask} "${{words[@]}}" 2>/dev/null)
    if [[ ${{#COMPREPLY[@]}} -eq 0 && "$directive" == {files} ]]; then
        compopt -o default 2>/dev/null
    fi
}}
complete -F __{word}_complete {program}
"""
ZSH = """\
#compdef {program}
# zsh completion for {program}; load it with: source <({program} completion zsh)
_{word}() {{
    local line directive
    local -a found
    while IFS= read -r line; do
        case "$line" in
            :*) directive="${{line#:}}" ;;
            *$'\\t'*) found+=("${{${{line%%$'\\t'*}}//:/\\\\:}}:${{line#*$'\\t'}}") ;;
            *) found+=("${{line//:/\\\\:}}") ;;
        esac
    done < <({program} {ask} "${{(@)words[2,$CURRENT]}}" 2>/dev/null)
    if (( ${{#found}} )); then
        _describe '{program}' found
    elif [[ "$directive" == {files} ]]; then
        _files
    fi
}}
compdef _{word} {program}
"""
FISH = """\
# fish completion for {program}; load it with: {program} completion fish | source
function __{word}_complete
    set -l words (commandline -opc)
    set -l last (commandline -ct)
    for line in ({program} {ask} $words[2..-1] "$last" 2>/dev/null)
        string match -q ':*' -- $line; or echo $line
    end
end
complete -c {program} -f -a '(__{word}_complete)'
"""
POWERSHELL = """\
# PowerShell completion for {program}; load it with:
#   {program} completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName {program} -ScriptBlock {{
    param($word, $tree, $position)
    $words = @($tree.CommandElements | Select-Object -Skip 1 | ForEach-Object {{ "$_" }})
    if ($word -eq '') {{ $words += '""' }}
    & {program} {ask} @words 2>$null | Where-Object {{ $_ -notmatch '^:' }} | ForEach-Object {{
        $name, $about = $_ -split "`t", 2
        if (-not $about) {{ $about = $name }}
        [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $about)
    }}
}}
"""
SCRIPTS = {"bash": BASH, "fish": FISH, "powershell": POWERSHELL, "zsh": ZSH}


def script(shell: str, program: str, *, descriptions: bool = True) -> str:
    """The script of one shell for one of our programs."""
    ask = ASK if descriptions else ASK_PLAIN
    return SCRIPTS[shell].format(program=program, word=program, ask=ask, files=FILES)


@dataclass(frozen=True, slots=True)
class Completion:
    """What `completion SHELL` is given."""

    no_descriptions: bool


def _runner(shell: str, program: str) -> Typed[Completion]:
    def run(options: Completion) -> int:
        shown = script(shell, program, descriptions=not options.no_descriptions)
        sys.stdout.write(shown)
        return 0

    return Typed(Completion, run)


def _command(program: str) -> Command:
    plain = Flag("no-descriptions", "Candidates without descriptions", BOOL)
    return Command(
        "completion",
        "Print a script that completes commands in a shell",
        commands=tuple(
            Command(shell, f"For {shell}", flags=(plain,), run=_runner(shell, program))
            for shell in sorted(SCRIPTS)
        ),
    )


COMMAND = _command("hypershift")
PRODUCT = _command("hcp")
