"""An AWS on a loopback port: moto, behind faults chosen by a seed and behind what it gets wrong."""

import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any
from urllib.parse import parse_qs

import boto3
from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from tests.cloud.aws import extension, thrift
from tests.cloud.aws.faults import Faults
from werkzeug.serving import WSGIRequestHandler, make_server
from werkzeug.test import Client as Caller

#: Somebody in another account: moto knows an account by keys that were lent there.
OWNER = "arn:aws:iam::222222222222:role/owner"


class Quiet(MotoRequestHandler):
    def log_request(self, *_: Any) -> None:
        """Say nothing of requests."""


class Cloud:
    """One AWS; `faults` come before each request, `calls` counts the operations of EC2."""

    def __init__(self) -> None:
        self.moto = DomainDispatcherApplication(create_backend_app)
        self.faults = Faults.none()
        self.calls: Counter[str] = Counter()
        self.lock = threading.Lock()
        self.endpoint = ""
        self.clients: dict[tuple[str, str], Any] = {}
        #: Tokens are believed as AWS would; otherwise everybody gets every role.
        self.verifies = False
        #: Seconds that each call takes, whatever moto needs.
        self.call_seconds = 0.0

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Any:
        body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
        environ["wsgi.input"] = BytesIO(body)
        name = _action(body) or f"{environ['REQUEST_METHOD']} {environ['PATH_INFO']}"
        if not environ["PATH_INFO"].startswith("/moto-api"):
            with self.lock:
                self.calls[name] += 1
                fault = self.faults.next(name)
            time.sleep(self.call_seconds)
            if fault is not None:
                return fault.answer(environ, start_response, self._corrected)
            return self._corrected(environ, start_response)
        return self.moto(environ, start_response)

    def _corrected(self, environ: dict[str, Any], start_response: Any) -> Any:
        """Moto's answer with what it gets wrong put right, whether or not it is lost then."""
        body = environ["wsgi.input"].read()
        environ["wsgi.input"] = BytesIO(body)
        action = _action(body)
        own = extension.answer(
            environ, action, body, start_response, self.moto, verifies=self.verifies
        )
        return self.moto(environ, start_response) if own is None else own

    def reset(self) -> None:
        """An empty AWS, without faults."""
        done = Caller(self.moto).post("/moto-api/reset", base_url=self.endpoint)
        assert done.status_code == 200, done.text
        self.faults = Faults.none()
        self.verifies = False
        self.call_seconds = 0.0
        self.calls.clear()

    def client(self, service: Any, account: str = "test") -> Any:
        """A client of the SDK; made once, for each takes megabytes and time."""
        if (service, account) not in self.clients:
            self.clients[service, account] = boto3.client(
                service,
                endpoint_url=self.endpoint,
                region_name="us-east-1",
                aws_access_key_id=account,
                aws_secret_access_key="test",
            )
        return self.clients[service, account]

    def owner(self) -> tuple[str, str, str]:
        """Keys in the account that owns a shared network: id, secret and token."""
        lent = self.client("sts").assume_role(RoleArn=OWNER, RoleSessionName="owner")
        keys = lent["Credentials"]
        return keys["AccessKeyId"], keys["SecretAccessKey"], keys["SessionToken"]

    def inventory(self, account: str = "test") -> dict[str, int]:
        """How many objects of each kind an account has, those of AWS itself left out."""
        ec2, route53 = self.client("ec2", account), self.client("route53", account)
        iam, elb = self.client("iam", account), self.client("elbv2", account)
        alive = [
            each
            for reservation in ec2.describe_instances()["Reservations"]
            for each in reservation["Instances"]
            if each["State"]["Name"] != "terminated"
        ]
        vpcs = [each for each in ec2.describe_vpcs()["Vpcs"] if not each["IsDefault"]]
        default = {each["VpcId"] for each in ec2.describe_vpcs()["Vpcs"] if each["IsDefault"]}

        def own(things: list[dict[str, Any]]) -> int:
            return sum(each.get("VpcId") not in default for each in things)

        nats = ec2.describe_nat_gateways()["NatGateways"]
        return {
            "vpcs": len(vpcs),
            "dhcp-options": len(ec2.describe_dhcp_options()["DhcpOptions"]),
            "gateways": len(ec2.describe_internet_gateways()["InternetGateways"]),
            "subnets": own(ec2.describe_subnets()["Subnets"]),
            "addresses": len(ec2.describe_addresses()["Addresses"]),
            "nats": sum(each["State"] not in {"deleted", "deleting"} for each in nats),
            "route-tables": own(ec2.describe_route_tables()["RouteTables"]),
            "endpoints": sum(
                each["State"] != "deleted" for each in ec2.describe_vpc_endpoints()["VpcEndpoints"]
            ),
            "groups": own(ec2.describe_security_groups()["SecurityGroups"]),
            "instances": len(alive),
            "zones": len(route53.list_hosted_zones()["HostedZones"]),
            "balancers": len(elb.describe_load_balancers()["LoadBalancers"]),
            "roles": len(iam.list_roles()["Roles"]),
        }


def _action(body: bytes) -> str:
    return parse_qs(body.decode(errors="replace")).get("Action", [""])[0]


@contextmanager
def cloud(host: str = "127.0.0.1", port: int = 0) -> Iterator[Cloud]:
    """An AWS that lives as long as the block."""
    thrift.save()
    own = Cloud()
    handler: type[WSGIRequestHandler] = Quiet
    server = make_server(host, port, own, threaded=True, request_handler=handler)
    own.endpoint = f"http://{host}:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield own
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
