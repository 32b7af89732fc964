# SPDX-License-Identifier: Apache-2.0
"""A real Chromium in front of the console of a real `hearth serve`. HEARTH_BINARY names the server; HEARTH_CONSOLE_DIR another Console/."""
import itertools, os, pathlib, re
import pytest
from playwright.sync_api import expect, sync_playwright
from served import CHROMIUM, PATIENCE, ROOT, Served, write_key

SHOTS = ROOT / ".build" / "screenshots"
RULES = """rules_version = '2';
service cloud.firestore {
  match /databases/{database}/documents {
    match /books/{book} {
      allow read: if request.auth != null;
      allow write: if request.auth.uid == resource.data.owner;
    }
  }
}
"""
# Pages must not depend on how fast the machine is, so each step may take long.
expect.set_options(timeout=PATIENCE * 1000)
_numbers = itertools.count(1)


@pytest.fixture(scope="session")
def console(tmp_path_factory):
    """In development, with the values of requests."""
    served = Served(tmp_path_factory.mktemp("development"), "--development", "--in-memory", "--console-values", "--max-databases", "1000")
    yield served
    served.stop()


@pytest.fixture(scope="session")
def production(tmp_path_factory):
    """On disk, with rules, and an administrator's key; tokens are verified."""
    folder = tmp_path_factory.mktemp("production")
    key = folder / "admin.key"
    secret = write_key(key)
    (folder / "firestore.rules").write_text(RULES)
    served = Served(folder, "--data", str(folder / "data"), "--durability", "relaxed", "--rules", str(folder / "firestore.rules"), "--admin-key-file", str(key), keys=secret)
    yield served
    served.stop()


@pytest.fixture
def serve(tmp_path):
    """Starts servers for one test: serve(options…)."""
    started = []

    def serve(*options, **more):
        folder = tmp_path / f"server-{len(started)}"
        folder.mkdir()
        started.append(Served(folder, *options, **more))
        return started[-1]

    yield serve
    for served in started:
        served.stop()


@pytest.fixture
def demo(console):
    database = console.project("demo")
    database.clear()
    return database


@pytest.fixture
def fresh(console):
    """A database that no other test uses."""
    return console.project(f"fresh-{next(_numbers)}")


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        # The console must ask for nothing on other machines: of them none is found.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, headless=True, args=[
            "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--force-color-profile=srgb", "--hide-scrollbars",
            "--host-resolver-rules=MAP evil.example 127.0.0.1,MAP *.invalid ~NOTFOUND"])
        yield browser
        browser.close()


class Watched:
    """Opens pages, and collects what must stay empty: errors, violations of the policy, foreign requests."""

    def __init__(self, browser):
        self.browser, self.problems, self.contexts, self.tolerated = browser, [], [], []

    def context(self, **options):
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 800}, **options})
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script("document.addEventListener('securitypolicyviolation', (e) => console.error('CSP ' + e.violatedDirective + ' ' + e.blockedURI))")
        context.on("console", lambda m: self.problems.append(f"{m.type}: {m.text} {m.location['url']}") if m.type in ("error", "warning") else None)
        context.on("weberror", lambda e: self.problems.append(f"exception: {e.error}"))
        context.on("request", lambda r: None if re.match(r"http://127\.0\.0\.1:\d+/(console|v1)/|blob:|data:|about:", r.url) else self.problems.append(f"foreign request: {r.url}"))
        self.contexts.append(context)
        return context

    def open(self, url, **options):
        page = self.context(**options).new_page()
        page.goto(url)
        return page

    def tolerate(self, *texts):
        """Errors with this text are what the test is about."""
        self.tolerated.extend(texts)

    def check(self):
        assert [p for p in self.problems if not any(t in p for t in self.tolerated)] == []


@pytest.fixture
def watched(browser, request):
    watched = Watched(browser)
    yield watched
    SHOTS.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^\w-]+", "-", request.node.name)
    for i, context in enumerate(watched.contexts):
        for j, page in enumerate(context.pages):
            # Tabs that are behind another one have to be painted first, which takes seconds.
            if i < 4 and j == 0:
                page.screenshot(path=SHOTS / f"{name}{f'-{i}' if i else ''}.png")
        context.close()
    watched.check()
