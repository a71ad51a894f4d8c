from hypershift.cli.install.provider_kinds import core_kinds, provider_kinds


def test_every_name_is_there_once() -> None:
    names = [each["metadata"]["name"] for each in provider_kinds(frozenset())]
    assert len(names) == len(set(names))
    assert "awsclusterroleidentities.infrastructure.cluster.x-k8s.io" in names
    assert "floatingips.openstack.k-orc.cloud" in names


def test_a_limit_leaves_other_platforms_out() -> None:
    groups = {each["spec"]["group"] for each in provider_kinds(frozenset({"agent"}))}
    assert groups == {"capi-provider.agent-install.openshift.io"}


def test_exactly_one_version_is_stored_and_it_is_the_newest() -> None:
    for definition in provider_kinds(frozenset()):
        stored = [each["name"] for each in definition["spec"]["versions"] if each["storage"]]
        assert stored == [definition["spec"]["versions"][-1]["name"]]


def test_names_of_cluster_api_are_spelled_as_it_does() -> None:
    names = [each["metadata"]["name"] for each in core_kinds()]
    assert "clusters.cluster.x-k8s.io" in names
    assert "ipaddresses.ipam.cluster.x-k8s.io" in names
    assert "clusterclasses.cluster.x-k8s.io" in names
