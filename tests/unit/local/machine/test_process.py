import asyncio
import os
import subprocess
import sys

import msgspec

from hypershift.local.machine.process import ended, identity, lives


def test_a_process_is_itself_and_no_other_of_the_same_pid() -> None:
    me = identity(os.getpid())
    assert lives(me)
    assert not lives(msgspec.structs.replace(me, started=me.started + 1))
    assert not lives(msgspec.structs.replace(me, boot="another"))


async def test_the_end_of_a_process_is_noticed_and_a_zombie_is_dead() -> None:
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)  # noqa: ASYNC220
    who = identity(child.pid)
    end = asyncio.create_task(ended(who))
    await asyncio.sleep(0.05)
    assert not end.done()
    child.kill()
    await asyncio.wait_for(end, 5)
    assert not lives(who)
    child.communicate()
    await asyncio.wait_for(ended(who), 5)
