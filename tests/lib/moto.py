"""moto's server on loopback: AWS as far as a test needs it."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection

from moto.server import ThreadedMotoServer


@contextmanager
def empty_aws() -> Iterator[str]:
    """The address of a server that has nothing in it while the body begins.

    What moto keeps belongs to the process, so that tests before may have left something.
    """
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    try:
        with closing(HTTPConnection(host, port)) as connection:
            connection.request("POST", "/moto-api/reset")
            connection.getresponse().read()
        yield f"http://{host}:{port}"
    finally:
        server.stop()
