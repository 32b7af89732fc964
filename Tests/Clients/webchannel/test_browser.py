"""A page in a real browser, which checks origins, preflights and streams in its own way."""

import pytest

from .app import App
from .browsing import BROWSER, Pages


@pytest.fixture
def pages():
    pages = Pages()
    yield pages
    pages.close()


@pytest.mark.one_server("a browser keeps connections, so it needs a balancer that looks at every request")
@pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")
def test_a_page_of_this_machine(hearth, database, pages):
    app = App(hearth, database)
    assert pages.browse(app) == {"committed": True, "heard": "é 😀", "rest": 200, "beacons": [True, True], "ended": 400}
    assert app.get("c/a") and app.get("c/b") is not None


@pytest.mark.skipif(not BROWSER, reason="no Chromium is installed")
def test_a_page_from_elsewhere(hearth, database, pages):
    app = App(hearth, database)
    assert "Failed to fetch" in pages.browse(app, host="evil.example")["error"]
    assert app.get("c/foreign") is None and app.get("c/a") is None
