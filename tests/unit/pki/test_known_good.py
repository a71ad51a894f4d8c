"""What was found right is not looked at again until the first certificate has to be renewed."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hypershift.pki import Policy, Site, by_kind_and_name, new_key, plan, reconcile, wanted

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
SITE = Site("clusters-demo", "settled", openshift=False, policy=Policy(timedelta(hours=2), 0.5))


def test_a_settled_pki_costs_no_look(monkeypatch: pytest.MonkeyPatch) -> None:
    objects = by_kind_and_name(reconcile({}, wanted(SITE), NOW, keys=new_key))
    assert reconcile(objects, wanted(SITE), NOW) == []
    monkeypatch.setattr(plan, "_desired", lambda *_: pytest.fail("it was looked at"))
    assert reconcile(objects, wanted(SITE), NOW + timedelta(minutes=30)) == []


def test_time_a_change_and_another_wish_end_it() -> None:
    objects = by_kind_and_name(reconcile({}, wanted(SITE), NOW, keys=new_key))
    assert reconcile(objects, wanted(SITE), NOW) == []
    assert reconcile(objects, wanted(SITE), NOW + timedelta(minutes=61))
    assert reconcile(objects, wanted(SITE), NOW - timedelta(days=1))
    assert reconcile(objects, wanted(replace(SITE, api_host="x.example.org")), NOW)
    del objects["Secret", "kcm-server"]
    assert reconcile(objects, wanted(SITE), NOW)
