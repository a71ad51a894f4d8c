from datetime import UTC, datetime, timedelta
from pathlib import Path

import yaml

from hypershift.local.cluster import pki
from hypershift.local.cluster.plan import Plan
from hypershift.local.cluster.state import Layout
from hypershift.pki import certificate_from_pem, described, read_authority

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def made(tmp_path: Path) -> Layout:
    where = Layout(tmp_path / "a", "a")
    where.make()
    pki.ensure(where, Plan(0), NOW)
    return where


def test_the_api_server_is_known_by_every_way_to_it(tmp_path: Path) -> None:
    where = made(tmp_path)
    certificate = certificate_from_pem((where.pki / "apiserver.crt").read_bytes())
    assert certificate is not None
    assert {"10.80.0.1", "10.80.64.1"} <= described(certificate).ip_addresses
    assert "kubernetes.default.svc" in described(certificate).dns_names


def test_every_key_is_for_its_owner_alone(tmp_path: Path) -> None:
    where = made(tmp_path)
    files = [*where.pki.iterdir(), *where.kubeconfigs.iterdir()]
    assert files
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)


def test_a_second_pass_writes_nothing_until_certificates_are_old(tmp_path: Path) -> None:
    where = made(tmp_path)
    first = {path.name: path.read_bytes() for path in where.pki.iterdir()}
    pki.ensure(where, Plan(0), NOW + timedelta(days=1))
    assert {path.name: path.read_bytes() for path in where.pki.iterdir()} == first
    pki.ensure(where, Plan(0), NOW + timedelta(days=364))
    later = {path.name: path.read_bytes() for path in where.pki.iterdir()}
    assert later["ca.crt"] == first["ca.crt"]
    assert later["apiserver.crt"] != first["apiserver.crt"]


def test_the_admin_kubeconfig_leads_to_the_bridge(tmp_path: Path) -> None:
    where = made(tmp_path)
    config = yaml.safe_load(where.admin.read_text())
    assert config["clusters"][0]["cluster"]["server"] == "https://10.80.0.1:6443"


def test_a_node_gets_certificates_of_the_clusters_authority(tmp_path: Path) -> None:
    where = made(tmp_path)
    client, serving = pki.node_pairs(where, "a-node-0", "10.80.0.10", NOW)
    ca = read_authority((where.pki / "ca.crt").read_bytes(), (where.pki / "ca.key").read_bytes())
    assert ca is not None
    read = [certificate_from_pem(pair.certificate) for pair in (client, serving)]
    assert all(found is not None and ca.issued(found) for found in read)
    assert described(read[0]).organizations == ("system:nodes",) if read[0] else False
