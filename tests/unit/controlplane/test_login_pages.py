"""The pages of a login speak the language of the user's browser."""

import re
from base64 import b64decode

from tests.unit.component.clusters import a_view

from hypershift.component import render
from hypershift.controlplane import oauth_openshift
from hypershift.release import Product

#: What the OAuth server gives each page, as the original's own pages ask for it.
GIVEN = {
    "errors.html": {"Error", "Locale.Error"},
    "login.html": {
        "Action",
        "Error",
        "Locale.LogIn",
        "Locale.LogInToYourAccount",
        "Locale.Password",
        "Locale.Username",
        "Names.CSRF",
        "Names.Password",
        "Names.Then",
        "Names.Username",
        "Values.CSRF",
        "Values.Then",
        "Values.Username",
    },
    "providers.html": {"Locale.LogIn", "Locale.LogInWith", "Providers"},
}


def test_pages_ask_for_what_the_server_gives_and_say_nothing_of_their_own() -> None:
    objects = render(oauth_openshift.OPENSHIFT, a_view(product=Product.OPENSHIFT))
    pages = {
        name: b64decode(text).decode()
        for one in objects
        for name, text in (one.get("data") or {}).items()
        if name.endswith(".html")
    }
    assert pages.keys() == GIVEN.keys()
    for name, page in pages.items():
        actions = " ".join(re.findall(r"\{\{(.*?)\}\}", page))
        asked = set(re.findall(r"(?<![\w$])\.([A-Z][\w.]*)", actions))
        assert asked == GIVEN[name]
        body = re.sub(r"<style>.*?</style>|<[^>]*>|\{\{.*?\}\}", "", page, flags=re.DOTALL)
        assert not body.strip()
