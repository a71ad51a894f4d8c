"""What moto lacks or gets wrong, put right in front of it: the product has no workaround for moto.

- CreateDhcpOptions forgets its tags: they are set with CreateTags.
- CreateVPCAssociationAuthorization is missing: it is granted.
- The SOA record of a new zone is listed as a Python dictionary: its value alone is.
- Shared subnets are seen in the accounts that they are shared with: `sharing`.
- Services and endpoints of private links are kept as AWS keeps them: `links`.
- AssumeRoleWithWebIdentity accepts every token for every role: `identity` verifies them.
- DescribeTargetGroups of a load balancer without any is an error: it is an empty list.
- DeleteSubnet with a NAT gateway in it is accepted: it is refused. Its associations with route
  tables stay: they go with it.
- A dry run makes the object for most calls of EC2: it makes nothing.
- DeleteNatGateway keeps the gateway's address in use: it is free.
- Keys that are disabled or wait for their deletion encrypt: they are refused by `key_service`.
"""

import re
from collections.abc import Callable
from io import BytesIO
from typing import Any
from urllib.parse import parse_qsl, urlencode

from tests.cloud.aws import identity, key_service, links, sharing

#: The account of moto that has no other.
ACCOUNT = "123456789012"
_ELB = "http://elasticloadbalancing.amazonaws.com/doc/2015-12-01/"
_XML = "http://ec2.amazonaws.com/doc/2016-11-15/"


def answer(
    environ: dict[str, Any],
    action: str,
    body: bytes,
    start_response: Any,
    app: Any,
    *,
    verifies: bool = False,
) -> list[bytes] | None:
    """Our answer; None when moto's is right."""
    if environ.get("HTTP_X_AMZ_TARGET") in key_service.TARGETS:
        return _key_service(body, start_response)
    if action == identity.ACTION and verifies:
        return _identity(body, start_response)
    if b"DryRun=true" in body and environ["REQUEST_METHOD"] == "POST":
        said = "Request would have succeeded, but DryRun flag is set."
        return _refuse(start_response, said, "DryRunOperation")
    if action in links.ACTIONS:
        return _links(action, body, start_response)
    if corrected := CORRECTED.get(action):
        return corrected(environ, body, start_response, app)
    return None if action else _by_path(environ, body, start_response, app)


def _key_service(body: bytes, start_response: Any) -> list[bytes] | None:
    refusal = key_service.refusal(body, ACCOUNT)
    if refusal is not None:
        start_response("400 Bad Request", [("Content-Type", "application/x-amz-json-1.1")])
    return None if refusal is None else [refusal]


def _by_path(
    environ: dict[str, Any], body: bytes, start_response: Any, app: Any
) -> list[bytes] | None:
    """The same for the services that tell calls by method and path."""
    path = environ["PATH_INFO"].rstrip("/")
    if path == sharing.CREATE:
        sharing.share(body)
    if path == sharing.DELETE:
        sharing.forget()
    if path.endswith("/rrset") and environ["REQUEST_METHOD"] == "GET":
        return _records(environ, start_response, app)
    if path.endswith("/associatevpc"):
        return _associate(path, body, start_response)
    if path.endswith("/authorizevpcassociation"):
        root = "CreateVPCAssociationAuthorizationResponse"
        return _xml(
            start_response,
            f"<{root}><HostedZoneId>Z</HostedZoneId><VPC><VPCId>vpc-0</VPCId></VPC></{root}>",
        )
    return None


def _links(action: str, body: bytes, start_response: Any) -> list[bytes] | None:
    try:
        found = links.answer(action, dict(parse_qsl(body.decode())))
    except links.Refused as error:
        return _refuse(start_response, "refused as AWS does", str(error))
    if found is None:
        return None
    return _xml(start_response, f'<{action}Response xmlns="{_XML}">{found}</{action}Response>')


def _associate(path: str, body: bytes, start_response: Any) -> list[bytes] | None:
    if not sharing.associate(path, body):
        return None
    root = "AssociateVPCWithHostedZoneResponse"
    info = (
        "<Id>/change/1</Id><Status>INSYNC</Status><SubmittedAt>2026-01-01T00:00:00Z</SubmittedAt>"
    )
    return _xml(start_response, f"<{root}><ChangeInfo>{info}</ChangeInfo></{root}>")


def _target_groups(
    environ: dict[str, Any], body: bytes, start_response: Any, app: Any
) -> list[bytes] | None:
    form = dict(parse_qsl(body.decode()))
    own = {**environ, "wsgi.input": BytesIO(body)}
    payload = b"".join(app(own, lambda *_args, **_more: None))
    if b"TargetGroupNotFound" not in payload or "LoadBalancerArn" not in form:
        environ["wsgi.input"] = BytesIO(body)
        return None
    root = "DescribeTargetGroups"
    result = f"<{root}Result><TargetGroups/></{root}Result>"
    return _xml(start_response, f'<{root}Response xmlns="{_ELB}">{result}</{root}Response>')


def _delete_subnet(
    environ: dict[str, Any], body: bytes, start_response: Any, app: Any
) -> list[bytes] | None:
    if used := _subnet_users(environ, body, app):
        return _refuse(start_response, used)
    _leave_tables(environ, body, app)
    return None


def _delete_nat_gateway(
    environ: dict[str, Any], body: bytes, start_response: Any, app: Any
) -> list[bytes]:
    gateway = dict(parse_qsl(body.decode())).get("NatGatewayId", "")
    found = _ask(environ, app, {"Action": "DescribeNatGateways", "NatGatewayId.1": gateway})
    environ["wsgi.input"] = BytesIO(body)
    payload = b"".join(app(environ, start_response))
    for allocation in re.findall(rb"<allocationId>(eipalloc-\w+)</allocationId>", found):
        named = {"Action": "DescribeAddresses", "AllocationId.1": allocation.decode()}
        for link in re.findall(rb"<associationId>(eipassoc-\w+)<", _ask(environ, app, named)):
            form = {"Action": "DisassociateAddress", "AssociationId": link.decode()}
            _ask(environ, app, form)
    return [payload]


def _xml(start_response: Any, text: str, status: str = "200 OK") -> list[bytes]:
    payload = text.encode()
    headers = [("Content-Type", "text/xml"), ("Content-Length", str(len(payload)))]
    start_response(status, headers)
    return [payload]


def _refuse(start_response: Any, why: str, code: str = "DependencyViolation") -> list[bytes]:
    error = f"<Error><Code>{code}</Code><Message>{why}</Message></Error>"
    text = f"<Response><Errors>{error}</Errors><RequestID>0</RequestID></Response>"
    return _xml(start_response, text, "400 Bad Request")


def _identity(body: bytes, start_response: Any) -> list[bytes] | None:
    """Refuse what AWS would refuse; moto lends the role for the rest."""
    form = dict(parse_qsl(body.decode()))
    try:
        identity.verify(ACCOUNT, form.get("RoleArn", ""), form.get("WebIdentityToken", ""))
    except identity.Refused as error:
        root = "ErrorResponse"
        text = (
            f"<{root}><Error><Code>{error.code}</Code><Message>{error}</Message></Error></{root}>"
        )
        status = "403 Forbidden" if error.code == "AccessDenied" else "400 Bad Request"
        return _xml(start_response, text, status)
    return None


def _ask(environ: dict[str, Any], app: Any, form: dict[str, str]) -> bytes:
    """Ask moto something as the client that asks us."""
    body = urlencode({"Version": "2016-11-15", **form}).encode()
    own = {**environ, "wsgi.input": BytesIO(body), "CONTENT_LENGTH": str(len(body))}
    return b"".join(app(own, lambda *_args, **_more: None))


def _dhcp_options(
    environ: dict[str, Any], body: bytes, start_response: Any, app: Any
) -> list[bytes]:
    payload = b"".join(app(environ, start_response))
    form = dict(parse_qsl(body.decode()))
    found = re.search(rb"<dhcpOptionsId>(dopt-\w+)</dhcpOptionsId>", payload)
    tags = {
        name.removeprefix("TagSpecification.1."): value
        for name, value in form.items()
        if name.startswith("TagSpecification.1.Tag.")
    }
    if found and tags:
        _ask(
            environ,
            app,
            {"Action": "CreateTags", "ResourceId.1": found[1].decode(), **tags},
        )
    return [payload]


def _records(environ: dict[str, Any], start_response: Any, app: Any) -> list[bytes]:
    payload = b"".join(app(environ, lambda *_args, **_more: None))
    quote = rb"(?:'|&#39;|&#x27;)"
    plain = re.sub(
        rb"\{" + quote + b"Value" + quote + b": " + quote + b"(.*?)" + quote + rb"\}",
        rb"\1",
        payload,
    )
    return _xml(start_response, plain.decode())


def _leave_tables(environ: dict[str, Any], body: bytes, app: Any) -> None:
    subnet = dict(parse_qsl(body.decode())).get("SubnetId", "")
    tables = _ask(environ, app, {"Action": "DescribeRouteTables"})
    link = rb"<routeTableAssociationId>(rtbassoc-\w+)</routeTableAssociationId>"
    for item in re.findall(rb"<item>(?:(?!<item>).)*?</item>", tables, re.DOTALL):
        if subnet.encode() in item and (found := re.search(link, item)):
            form = {"Action": "DisassociateRouteTable", "AssociationId": found[1].decode()}
            _ask(environ, app, form)


def _subnet_users(environ: dict[str, Any], body: bytes, app: Any) -> str:
    """Who uses a subnet: NAT gateways and machines that live."""
    subnet = dict(parse_qsl(body.decode())).get("SubnetId", "")
    nats = _ask(environ, app, {"Action": "DescribeNatGateways"})
    for item in re.findall(rb"<item>.*?</item>", nats, re.DOTALL):
        if subnet.encode() in item and b"<state>available</state>" in item:
            return f"The subnet {subnet} has dependencies and cannot be deleted"
    return ""


CORRECTED: dict[str, Callable[[dict[str, Any], bytes, Any, Any], list[bytes] | None]] = {
    "CreateDhcpOptions": _dhcp_options,
    "DeleteNatGateway": _delete_nat_gateway,
    "DeleteSubnet": _delete_subnet,
    "DescribeTargetGroups": _target_groups,
}
