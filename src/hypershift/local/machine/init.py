"""What runs a machine from the inside: services compiled to shell scripts under busybox init.

    pid 1  busybox init ── reaps, runs rc.boot at start and rc.shutdown at the end
      └─ one small shell for each service: waits for those it comes after, starts, restarts
           └─ the service

Nothing of this is Python, so that an idle machine costs little more than its services.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Final

from hypershift.local.machine import shell, tree
from hypershift.local.machine.units import Kind, Service, UnitError
from hypershift.local.machine.words import assigned, specified, words

PLACE: Final = "/run/machine"
CONTAINERD: Final = "containerd.service"
#: A log that has grown beyond this many bytes is put aside, once.
LOG_LIMIT: Final = 16 * 1024 * 1024

INITTAB: Final = f"""\
::sysinit:{PLACE}/rc.boot
::shutdown:{PLACE}/rc.shutdown
"""


def scripts(services: tuple[Service, ...]) -> dict[str, str]:
    """Every file below the machine's place in memory, by name."""
    names = frozenset(service.name for service in services)
    return {
        "inittab": INITTAB,
        "rc.boot": boot_script(services),
        "rc.shutdown": shutdown_script(services),
        **{f"units/{service.name}.run": run_script(service, names) for service in services},
    }


def install(services: tuple[Service, ...], root: Path) -> None:
    """Write the scripts into the machine; busybox init finds its table through a link in /etc."""
    for name, text in scripts(services).items():
        tree.replace(root, f"{PLACE}/{name}", text.encode(), 0o755)
    tree.link(root, "/etc/inittab", f"{PLACE}/inittab")


def boot_script(services: tuple[Service, ...]) -> str:
    """Start every service's shell, and the watch over the logs' size."""
    lines = [shell.INTERPRETER, 'echo "init: starting"']
    for service in services:
        lines += [
            f"echo {quote(f'init: {service.name}: ignored: {name}')}" for name in service.surprises
        ]
        lines.append(f"{PLACE}/units/{quote(service.name)}.run </dev/null &")
    lines.append(
        "(while sleep 300; do for log in /var/log/*.log; do "
        f'[ "$(stat -c %s "$log")" -gt {LOG_LIMIT} ] && cp "$log" "$log.1" && : > "$log"; '
        "done; done) </dev/null &"
    )
    return "\n".join(lines) + "\n"


def shutdown_script(services: tuple[Service, ...]) -> str:
    """Stop services in reverse order, containers just before their runtime, then power off."""
    lines = [shell.INTERPRETER, 'echo "init: shutting down"', shell.STOP]
    last = [service for service in services if service.name == CONTAINERD]
    for service in [*[one for one in reversed(services) if one not in last], None, *last]:
        if service is None:
            lines.append(shell.STOP_CONTAINERS)
        else:
            lines.append(f"stop {quote(service.name)} {max(1, int(service.stop_seconds))}")
    lines += ['echo "init: power off"', "poweroff -f"]
    return "\n".join(lines) + "\n"


def run_script(service: Service, names: frozenset[str]) -> str:
    """The shell of one service, from its dependencies to its last restart."""
    return "\n".join(
        [
            shell.INTERPRETER,
            f"U={quote(service.name)}",
            f"LOG=/var/log/{quote(service.name)}.log",
            f"SIGNAL={quote(service.kill_signal)}",
            shell.PRELUDE,
            f"stop_commands() {{ :\n{_commands(service, service.stop)}\n}}",
            'echo $$ > "$R/$U.pid"',
            *_dependencies(service, names),
            *_conditions(service),
            *_preparation(service),
            _oneshot(service) if service.kind is Kind.ONESHOT else _simple(service),
            "",
        ]
    )


def _dependencies(service: Service, names: frozenset[str]) -> Iterator[str]:
    for name in (one for one in service.after if one in names):
        yield f"await {quote(name)}"
    for name in (one for one in service.requires if one.endswith(".service")):
        if name not in names:
            yield f"fail {quote(f'it requires {name}, which does not exist')}; exit 1"
        else:
            yield f"await {quote(name)}"
            reason = quote(f"{name} failed")
            yield f'[ -e "$R"/{quote(name)}.failed ] && {{ fail {reason}; exit 1; }}'


def _conditions(service: Service) -> Iterator[str]:
    tests = {
        "ConditionPathExists": "-e",
        "ConditionPathIsDirectory": "-d",
        "ConditionFileNotEmpty": "-s",
    }
    for key, value in service.conditions:
        path = value.lstrip("|!")
        if key in tests:
            negate = "" if "!" in value.split("/")[0] else "! "
            yield (
                f"if [ {negate}{tests[key]} {quote(path)} ]; then "
                f'say {quote(f"skipped: {key}={value}")}; : > "$R/$U.started"; exit 0; fi'
            )


def _preparation(service: Service) -> Iterator[str]:
    for base, directories in (
        ("/run", service.runtime_directories),
        ("/var/lib", service.state_directories),
    ):
        for name in directories:
            yield f"mkdir -p {quote(f'{base}/{name}')}"
    yield f"cd {quote(service.working_directory)} || {{ fail 'no working directory'; exit 1; }}"


def _environment(service: Service) -> str:
    assignments = (assigned(line, service.name) for line in service.environment)
    lines = [f"export {words}" for words in assignments if words]
    for path in service.environment_files:
        name = quote(path.removeprefix("-"))
        missing = ":" if path.startswith("-") else f"{{ fail {quote(f'no {path}')}; return 1; }}"
        lines.append(f"load {name} || {missing}")
    return "\n".join(lines) or ":"


def _commands(service: Service, commands: tuple[str, ...]) -> str:
    lines = []
    for command in commands:
        text, tolerant = _command(service, command)
        failed = ":" if tolerant else "return $?"
        lines.append(f'{text} >>"$LOG" 2>&1 || {failed}')
    return "\n".join(lines)


def _simple(service: Service) -> str:
    if len(service.start) != 1:
        raise UnitError(f"unit {service.name}: needs exactly one ExecStart")
    main, _ = _command(service, service.start[0])
    return f"""\
prepare() {{
{_environment(service)}
{_commands(service, service.start_pre)}
}}
announce() {{ :
{_commands(service, service.start_post)}
}}
delay={_delay(service)}
while [ -z "$stopping" ]; do
  began=$(date +%s)
  rc=1
  if prepare; then
    {main} >>"$LOG" 2>&1 &
    main=$!
    echo "$main" > "$R/$U.main"
    [ -e "$R/$U.started" ] || say "started (pid $main)"
    announce && : > "$R/$U.started"
    collect
  fi
  [ -n "$stopping" ] && break
  say "ended with $rc"
  [ "$rc" -ne 0 ] && tail -n 3 "$LOG" | sed "s/^/init: $U| /"
  {_restart(service)}
  # A service that keeps falling over is given more and more time, up to ten seconds.
  [ $(($(date +%s) - began)) -ge 10 ] && delay={_delay(service)}
  usleep $delay
  [ $delay -lt 5000000 ] && delay=$((delay * 2))
done
say stopped"""


def _oneshot(service: Service) -> str:
    return f"""\
work() {{
{_environment(service)}
{_commands(service, service.start_pre)}
{_commands(service, service.start)}
{_commands(service, service.start_post)}
}}
while [ -z "$stopping" ]; do
  work
  rc=$?
  [ $rc -eq 0 ] && break
  {_restart(service)}
  usleep {_delay(service)}
done
if [ $rc -ne 0 ]; then fail "exit code $rc"; exit 1; fi
say done
: > "$R/$U.started\""""


def _restart(service: Service) -> str:
    """Exit the shell where the service's restart policy requires it."""
    give_up = 'fail "exit code $rc"; exit 1'
    match service.restart:
        case "always":
            return ":"
        case "on-success":
            return f"[ $rc -eq 0 ] || {{ {give_up}; }}"
        case "on-failure" | "on-watchdog":
            return "[ $rc -eq 0 ] && exit 0"
        case "on-abnormal" | "on-abort":
            return f"[ $rc -gt 128 ] || {{ [ $rc -eq 0 ] && exit 0; {give_up}; }}"
        case "no":
            return f"[ $rc -eq 0 ] && exit 0; {give_up}"
        case unknown:
            raise UnitError(f"unit {service.name}: Restart={unknown} is unknown")


def _delay(service: Service) -> int:
    return int(max(0.02, min(service.restart_seconds, 60.0)) * 1_000_000)


def _command(service: Service, command: str) -> tuple[str, bool]:
    """A command as shell words, and whether its failure is tolerated."""
    prefix = re.match(r"^[-:+!@]*", command)
    marks = prefix.group() if prefix else ""
    if "@" in marks:
        raise UnitError(f"unit {service.name}: the prefix @ of a command is not supported")
    return words(specified(command[len(marks) :], service.name)), "-" in marks
