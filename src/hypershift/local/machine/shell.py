"""The shell that a machine's services run under: texts that are the same for every service."""

from typing import Final

#: busybox runs its small tools without starting a program, and its shell is a few pages.
INTERPRETER: Final = "#!/usr/bin/busybox sh"
#: Seconds that containers get to end when a machine is shut down.
GRACE: Final = 8

#: What every service's shell begins with.
PRELUDE: Final = """\
set -f
R=/run/machine/units
say() { echo "init: $U: $*"; }
main=
stopping=
on_term() {
  stopping=1
  stop_commands
  [ -n "$main" ] && kill -"$SIGNAL" "$main" 2>/dev/null
}
trap on_term TERM
load() {
  [ -e "$1" ] || return 1
  while IFS= read -r line || [ -n "$line" ]; do
    case "$line" in ''|'#'*|';'*) continue;; *=*) ;; *) continue;; esac
    value=${line#*=}
    case "$value" in
      '"'*'"') value=${value#'"'}; value=${value%'"'};;
      "'"*"'") value=${value#"'"}; value=${value%"'"};;
    esac
    export "${line%%=*}=$value"
  done < "$1"
}
await() {
  until [ -e "$R/$1.started" ] || [ -e "$R/$1.failed" ]; do
    [ -n "$stopping" ] && exit 0
    usleep 20000
  done
}
fail() {
  say "failed: $*"
  [ -s "$LOG" ] && tail -n 5 "$LOG" | sed "s/^/init: $U| /"
  : > "$R/$U.failed"
}
collect() {
  wait "$main"
  rc=$?
  # A trapped signal ends the wait, not the service; 127 says that it was reaped meanwhile.
  while [ $rc -gt 128 ] && kill -0 "$main" 2>/dev/null; do
    wait "$main"
    again=$?
    [ $again -eq 127 ] && break
    rc=$again
  done
  main=
}
"""

#: The functions that stop a service.
STOP: Final = """\
R=/run/machine/units
alive() { [ -n "$1" ] && kill -0 "$1" 2>/dev/null; }
stop() {
  shell=$(cat "$R/$1.pid" 2>/dev/null)
  alive "$shell" || return 0
  kill -TERM "$shell"
  left=$(($2 * 20))
  while alive "$shell" && [ $left -gt 0 ]; do usleep 50000; left=$((left - 1)); done
  if alive "$shell"; then
    echo "init: $1: still there after $2 s, killed"
    kill -KILL "$(cat "$R/$1.main" 2>/dev/null)" "$shell" 2>/dev/null
  fi
}"""

#: Ends every container, politely and then not.
STOP_CONTAINERS: Final = f"""\
inside() {{
  find /sys/fs/cgroup -path '*kubepods*' -name cgroup.procs -exec cat {{}} + 2>/dev/null | sort -u
}}
procs=$(inside)
[ -n "$procs" ] && kill -TERM $procs 2>/dev/null
left={GRACE * 10}
while [ -n "$procs" ] && [ $left -gt 0 ]; do
  usleep 100000
  left=$((left - 1))
  procs=$(inside)
done
[ -n "$procs" ] && kill -KILL $procs 2>/dev/null"""
