"""Ask a process for its own metrics."""

import aiohttp

TIMEOUT = aiohttp.ClientTimeout(total=3.0)


async def fetch_metrics(host: str, port: int) -> str:
    """The metrics of a member; they contain no secrets and need no certificate."""
    try:
        async with (
            aiohttp.ClientSession(timeout=TIMEOUT) as session,
            session.get(f"http://{host}:{port}/metrics") as answer,
        ):
            return await answer.text()
    except aiohttp.ClientError as error:
        raise OSError(str(error)) from error
