"""Probes and metrics over HTTP."""

import aiohttp

from hypershift.runtime.health import Probes, serve


async def test_probes_answer_and_tell_what_is_missing() -> None:
    missing = ["cache of pods is not filled"]
    probes = Probes(healthy=list, ready=lambda: missing, metrics=lambda: b"figures 1\n")
    async with serve(probes, "127.0.0.1", 0) as port, aiohttp.ClientSession() as session:
        base = f"http://127.0.0.1:{port}"
        async with session.get(f"{base}/healthz") as answer:
            assert (answer.status, await answer.text()) == (200, "ok")
        async with session.get(f"{base}/readyz") as answer:
            assert (answer.status, await answer.text()) == (503, missing[0])
        missing.clear()
        async with session.get(f"{base}/readyz") as answer:
            assert answer.status == 200
        async with session.get(f"{base}/metrics") as answer:
            assert await answer.text() == "figures 1\n"
