# SPDX-License-Identifier: Apache-2.0
"""The guide as a page: the real `hearth guide`, the real Swift process, and Chromium in front of both.

`dev/example guide-live` builds the process. HEARTH_BINARY and GUIDE_LIVE name other binaries.
"""
import json, os, pathlib, re, signal, subprocess, time, urllib.error, urllib.request
import pytest

pytest.importorskip("playwright")
pytest.importorskip("axe_playwright_python")
from playwright.sync_api import expect
from pages import axe

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOTS = ROOT / ".build" / "screenshots"
HEARTH = os.environ.get("HEARTH_BINARY") or os.environ.get("HEARTH") or str(ROOT / ".build/debug/hearth")
LIVE = os.environ.get("GUIDE_LIVE", str(ROOT / ".build/debug/guide-live"))
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
PATIENCE = int(os.environ.get("PATIENCE", "60"))
SAMPLES = json.loads((ROOT / "Examples/Guide/Sources/GuideLive/Resources/samples.json").read_text())
expect.set_options(timeout=PATIENCE * 1000)

pytestmark = [
    pytest.mark.skipif(not os.path.exists(CHROMIUM), reason="Chromium is not installed"),
    pytest.mark.skipif(not os.path.exists(LIVE), reason="the Swift process of the guide is not built: dev/example guide-live"),
]
text = lambda s: {"stringValue": s}
integer = lambda n: {"integerValue": str(n)}


class Guide:
    """`hearth guide`, and another client of its database."""

    def __init__(self, folder):
        self.folder, self.swift = folder, None
        self.root = "projects/demo-guide/databases/(default)/documents"
        self.process = subprocess.Popen(
            [HEARTH, "guide", "--print", "--port", "0", "--port-file", str(folder / "port")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True, env={**os.environ, "XDG_RUNTIME_DIR": str(folder)})
        self.ready = self.process.stdout.readline()
        self.address = re.fullmatch(r"the guide is at (http://\S+)\n", self.process.stdout.readline())[1]
        self.base, self.token = re.fullmatch(r"(http://127\.0\.0\.1:\d+)/guide/#t=(\S+)", self.address).groups()

    def start_swift(self):
        self.swift = subprocess.Popen([LIVE, self.base.removeprefix("http://")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        assert "runs" in self.swift.stdout.readline()

    def stop_swift(self, number=signal.SIGTERM):
        if self.swift and self.swift.poll() is None:
            self.swift.send_signal(number)
            return self.swift.wait(PATIENCE)

    def stop(self):
        self.stop_swift(signal.SIGKILL)
        self.process.send_signal(signal.SIGINT)
        assert self.process.wait(PATIENCE) == 0

    def call(self, method, path, body=None):
        request = urllib.request.Request(f"{self.base}/v1/{self.root}{path}", json.dumps(body).encode() if body else None, {"Authorization": "Bearer owner"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return json.loads(answer.read() or b"{}")
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            raise AssertionError(error.read().decode()) from None

    def fields(self, path):
        return (self.call("GET", f"/{path}") or {}).get("fields")

    def set(self, path, fields):
        self.call("POST", ":commit", {"writes": [{"update": {"name": f"{self.root}/{path}", "fields": fields}}]})

    def wait(self, path, condition):
        """Waits until the stored fields of a document are what the test expects."""
        end = time.monotonic() + PATIENCE
        while not condition(found := self.fields(path)):
            assert time.monotonic() < end, found
            time.sleep(0.05)
        return found


@pytest.fixture(scope="module")
def guide(tmp_path_factory):
    """With the Swift process."""
    guide = Guide(tmp_path_factory.mktemp("guide"))
    try:
        guide.start_swift()
        yield guide
    finally:
        guide.stop()


@pytest.fixture
def alone(tmp_path):
    """Without the Swift process, until a test starts it."""
    guide = Guide(tmp_path)
    try:
        yield guide
    finally:
        guide.stop()


@pytest.fixture
def watched(browser, request):
    """Opens pages; errors, violations of the policy and foreign requests must not happen."""
    problems, contexts = [], []

    def open(guide, url=None, **options):
        context = browser.new_context(**{"viewport": {"width": 1440, "height": 1000}, "reduced_motion": "reduce", **options})
        context.set_default_timeout(PATIENCE * 1000)
        context.add_init_script("document.addEventListener('securitypolicyviolation', (e) => console.error('CSP ' + e.violatedDirective + ' ' + e.blockedURI))")
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda m: problems.append(f"{m.type}: {m.text}") if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda e: problems.append(f"exception: {e}"))
        page.on("request", lambda r: None if r.url.startswith((guide.base + "/", "about:")) else problems.append(f"foreign request: {r.url}"))
        page.goto(url or guide.address)
        return page

    open.tolerated = []
    yield open
    SHOTS.mkdir(parents=True, exist_ok=True)
    for i, context in enumerate(contexts):
        for page in context.pages:
            page.screenshot(path=SHOTS / f"guide-{re.sub(r'[^a-z0-9]+', '-', request.node.name)}{i or ''}.png")
        context.close()
    assert [p for p in problems if not any(t in p for t in open.tolerated)] == []


def card(page, path):
    return page.get_by_role("group", name=f"Document {path}", exact=True)


def swift(page, subject):
    return page.get_by_role("group", name=f"Swift, {subject}", exact=True)


def value(page, path, field):
    return card(page, path).get_by_label(f"Value of {field}", exact=True)


def kind(page, path, field):
    return card(page, path).get_by_label(f"Type of {field}", exact=True)


def reset(page, path):
    page.get_by_role("button", name=f"Reset {path}", exact=True).click()


def test_every_section_shows_its_code_its_documents_and_what_swift_decodes(guide, watched):
    page = watched(guide)
    assert "#t=" not in page.url
    expect(page.get_by_text("Swift process runs")).to_be_visible()
    expect(page.get_by_role("heading", level=2)).to_have_count(15)
    for path in SAMPLES:
        expect(card(page, path).locator(".field").first).to_be_visible()
        report = swift(page, "colors" if path.startswith("colors/") else path)
        expect(report.locator("p.error" if path == "books/invalid-data" else "pre").first).not_to_be_empty()
    expect(swift(page, "books/solaris")).to_contain_text('title: "Solaris"')
    # The code is that of the repository, line by line.
    for figure in page.locator("figure.code").all():
        source = (ROOT / "Examples/Guide/Sources/Guide" / figure.locator("figcaption").inner_text()).read_text()
        lines = [line.strip() for line in figure.locator("pre").inner_text().splitlines()]
        assert lines and "\n".join(lines) in "\n".join(line.strip() for line in source.splitlines())


def test_a_value_is_edited_and_swift_decodes_it(guide, watched):
    page = watched(guide)
    expect(swift(page, "books/left-hand")).to_contain_text("numberOfPages: 304")
    value(page, "books/left-hand", "numberOfPages").fill("286")
    page.keyboard.press("Enter")
    expect(swift(page, "books/left-hand")).to_contain_text("numberOfPages: 286")
    assert guide.fields("books/left-hand")["numberOfPages"] == integer(286)
    # What another client writes is shown, too, and not over what a person types.
    typing = value(page, "books/left-hand", "title")
    typing.fill("The Left")
    guide.set("books/left-hand", {**SAMPLES["books/left-hand"], "author": text("U. K. Le Guin"), "title": text("Elsewhere")})
    expect(swift(page, "books/left-hand")).to_contain_text('author: "U. K. Le Guin"')
    expect(value(page, "books/left-hand", "author")).to_have_value("U. K. Le Guin")
    expect(typing).to_have_value("The Left")
    page.keyboard.press("Escape")
    expect(typing).to_have_value("Elsewhere")
    reset(page, "books/left-hand")
    expect(swift(page, "books/left-hand")).to_contain_text("numberOfPages: 304")


def test_another_type_is_reported_as_the_error_of_the_swift_side(guide, watched):
    page = watched(guide)
    report = swift(page, "books/left-hand")
    kind(page, "books/left-hand", "numberOfPages").select_option("string")
    expect(report).to_contain_text("typeMismatch at numberOfPages")
    expect(report.locator(".error")).to_contain_text("Int")
    assert guide.fields("books/left-hand")["numberOfPages"] == text("304")
    expect(value(page, "books/left-hand", "numberOfPages")).to_have_value("304")
    card(page, "books/left-hand").get_by_role("button", name="Remove numberOfPages").click()
    expect(report).to_contain_text("keyNotFound at numberOfPages")
    reset(page, "books/left-hand")
    expect(report).to_contain_text("numberOfPages: 304")
    # By hand the same is silent.
    page.get_by_role("button", name="Store the pages as text").first.click()
    expect(swift(page, "books/solaris")).to_contain_text("numberOfPages: 0")
    reset(page, "books/solaris")
    expect(swift(page, "books/solaris")).to_contain_text("numberOfPages: 204")


def test_a_value_that_is_not_of_its_type_is_rejected_at_the_field(guide, watched):
    page = watched(guide)
    value(page, "books/earthsea", "numberOfPages").fill("many")
    page.keyboard.press("Enter")
    expect(card(page, "books/earthsea").get_by_role("alert")).to_contain_text("An integer has digits only")
    assert guide.fields("books/earthsea")["numberOfPages"] == integer(205)
    page.keyboard.press("Escape")
    expect(value(page, "books/earthsea", "numberOfPages")).to_have_value("205")


ATTEMPTS = [
    ("Half a page more", "books/left-hand", "dataCorrupted"), ("Remove one size", "books/piranesi", "keyNotFound at cover.medium"), ("Remove the cover", "books/piranesi", "cover: nil"),
    ("A number among the genres", "books/gideon", "typeMismatch at genres.[1]"), ("A tag without a colour", "books/all-systems-red", "keyNotFound at tags.[1].color"),
    ("Store a field named id", "books/earthsea", "id"), ("A year as a number", "programming-languages/smalltalk", "typeMismatch"), ("A date as text", "programming-languages/smalltalk", "typeMismatch"),
    ("Move the office south", "locations/lisbon", "coordinate: CLLocationCoordinate2D(latitude: -33.9249"), ("Two numbers are not a geopoint", "locations/lisbon", "typeMismatch at location"),
    ("A path as text", "loans/1842", "a DocumentReference was expected"), ("An empty URL", "loans/1842", "dataCorrupted"), ("Publish it", "articles/hearths", "status: .published"),
    ("The name of the case", "articles/hearths", "dataCorrupted at status"), ("A state from the future", "articles/hearths", "dataCorrupted at status"),
    ("Without language_name", "programming-languages/swift", "keyNotFound at language_name"), ("A name of null", "readers/grace", "valueNotFound at name"),
    ("A name instead", "books/frankenstein", "A colour is written #rgb"), ("A short form", "books/frankenstein", "Color(#aa33ee)"),
]


def test_what_the_page_suggests(guide, watched):
    page = watched(guide)
    expect(page.get_by_text("Swift process runs")).to_be_visible()
    for label, path, expected in ATTEMPTS:
        expect(card(page, path).locator(".field").first).to_be_visible()
        page.get_by_role("button", name=label, exact=True).click()
        expect(swift(page, path), label).to_contain_text(expected)
        reset(page, path)
        expect(swift(page, path), label).to_contain_text("decoded")


def test_swift_writes_back_what_it_has_decoded(guide, watched):
    page = watched(guide)

    def write_back(path):
        page.locator(".live", has=card(page, path)).get_by_role("button", name="Write back").click()

    # An optional that is nil is left out, an explicit null is null.
    kind(page, "readers/grace", "nickname").select_option("null")
    expect(swift(page, "readers/grace")).to_contain_text("nickname: nil")
    card(page, "readers/grace").get_by_role("button", name="Remove favouriteLanguage").click()
    expect(card(page, "readers/grace").get_by_label("Type of favouriteLanguage")).to_have_count(0)
    write_back("readers/grace")
    assert guide.wait("readers/grace", lambda f: "nickname" not in f) == {"name": text("Grace"), "favouriteLanguage": {"nullValue": None}}
    expect(kind(page, "readers/grace", "favouriteLanguage")).to_have_value("null")
    reset(page, "readers/grace")
    # The server's clock fills in what is nil.
    write_back("articles/today")
    stored = guide.wait("articles/today", lambda f: "createdAt" in f)
    assert stored["createdAt"] == stored["lastUpdatedAt"] and "timestampValue" in stored["createdAt"]
    expect(swift(page, "articles/today")).not_to_contain_text("nil")
    reset(page, "articles/today")
    # What CodingKeys leave out is not written.
    write_back("programming-languages/swift")
    assert sorted(guide.wait("programming-languages/swift", lambda f: len(f) == 2)) == ["language_name", "year"]
    reset(page, "programming-languages/swift")
    expect(value(page, "programming-languages/swift", "reasonWhyILoveThis")).to_be_visible()


def test_one_document_and_lists_that_do_not_fit(guide, watched):
    page = watched(guide)
    expect(swift(page, "books/does-not-exist")).to_contain_text("does not exist")
    expect(card(page, "books/does-not-exist")).to_contain_text("The document does not exist.")
    expect(swift(page, "books/invalid-data")).to_contain_text("Int")
    page.get_by_role("button", name="Create the third").click()
    expect(value(page, "books/does-not-exist", "title")).to_be_visible()
    expect(swift(page, "books/does-not-exist")).not_to_contain_text("does not exist")
    reset(page, "books/does-not-exist")
    expect(card(page, "books/does-not-exist")).to_contain_text("The document does not exist.")
    # The last of the list is bad: the others are shown, and the message is there.
    page.get_by_role("button", name="Spoil the last").click()
    colors = swift(page, "colors")
    expect(colors).to_contain_text("A colour is written #rgb")
    expect(colors).to_contain_text('name: "Moss"')
    reset(page, "colors/sky")
    expect(colors).to_contain_text('name: "Sky"')
    expect(colors.locator(".error")).to_have_count(0)
    page.get_by_role("button", name="Add a colour in Swift").click()
    expect(colors).to_contain_text('name: "Plum"')
    expect(page.locator("#server-colors")).to_have_text("On the server: 4 in colors.")


def test_adding_while_offline(guide, watched):
    page = watched(guide)
    section = page.locator("#offline")
    expect(page.locator("#network")).to_have_text("The second client is connected.")
    section.get_by_role("button", name="Disconnect").click()
    expect(page.locator("#network")).to_contain_text("offline")
    section.get_by_role("button", name="Add a draft").click()
    expect(page.locator("#network")).to_have_text("The second client is offline; 1 draft waits.")
    expect(swift(page, "offline")).to_contain_text("hasPendingWrites")
    expect(page.locator("#server-drafts")).to_have_text("On the server: 0 in drafts.")
    section.get_by_role("button", name="Connect", exact=True).click()
    expect(page.locator("#server-drafts")).to_have_text("On the server: 1 in drafts.")
    expect(swift(page, "offline")).to_contain_text("stored by the server")


def test_without_the_swift_process_the_page_names_the_command_and_edits(alone, watched):
    page = watched(alone)
    notice = page.get_by_role("region", name="Notice")
    expect(notice).to_contain_text("make guide")
    expect(page.get_by_text("No Swift process")).to_be_visible()
    expect(swift(page, "books/solaris")).to_contain_text("does not run")
    expect(page.get_by_role("button", name="Write back").first).to_be_disabled()
    # The command has written the documents; those that are deleted can be written again.
    expect(value(page, "books/piranesi", "author")).to_have_value("Susanna Clarke")
    alone.call("DELETE", "/books/solaris")
    expect(card(page, "books/solaris")).to_contain_text("The document does not exist.")
    notice.get_by_role("button", name="Write the documents that are missing").click()
    value(page, "books/solaris", "title").fill("Солярис")
    page.keyboard.press("Enter")
    assert alone.wait("books/solaris", lambda f: f["title"] == text("Солярис"))["numberOfPages"] == integer(204)
    assert alone.fields("loans/1842")["book"] == {"referenceValue": f"{alone.root}/books/piranesi"}
    # It comes, takes the edited document as it is, and goes.
    alone.start_swift()
    expect(notice).to_have_count(0)
    expect(swift(page, "books/solaris")).to_contain_text("Солярис")
    assert alone.stop_swift() == 0
    expect(notice).to_contain_text("make guide")
    expect(swift(page, "books/solaris")).to_contain_text("does not run")
    # A killed process cannot say so; the page notices.
    alone.start_swift()
    expect(page.get_by_text("Swift process runs")).to_be_visible()
    alone.stop_swift(signal.SIGKILL)
    expect(page.get_by_text("No Swift process")).to_be_visible()


def test_without_a_token_the_text_is_there_and_the_page_asks(alone, watched):
    watched.tolerated.append("401")
    page = watched(alone, alone.base + "/guide/")
    expect(page.get_by_role("heading", name="Mapping by hand")).to_be_visible()
    page.get_by_label("Token or address").fill(alone.address)
    page.keyboard.press("Enter")
    expect(page.get_by_text("No Swift process")).to_be_visible()
    expect(value(page, "books/solaris", "title")).to_have_value("Solaris")


def test_an_empty_console_leads_to_the_guide(alone, watched):
    page = watched(alone, alone.address.replace("/guide/", "/console/data/empty/(default)"))
    page.get_by_role("link", name="Read the guide").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Mapping documents with Swift’s Codable")
    expect(page.get_by_text("No Swift process")).to_be_visible()


def test_by_keyboard_alone(guide, watched):
    page = watched(guide)
    expect(swift(page, "books/solaris")).to_contain_text("numberOfPages: 204")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the text")).to_be_focused()
    page.keyboard.press("Enter")
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == "Value of numberOfPages":
            break
    expect(value(page, "books/solaris", "numberOfPages")).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Control+A")
    page.keyboard.type("205")
    page.keyboard.press("Tab")
    expect(swift(page, "books/solaris")).to_contain_text("numberOfPages: 205")
    # The position stays while the document is drawn again with another type.
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Shift+Tab")
    expect(kind(page, "books/solaris", "numberOfPages")).to_be_focused()
    # The type above integer.
    page.keyboard.press("ArrowUp")
    expect(kind(page, "books/solaris", "numberOfPages")).to_have_value("string")
    expect(swift(page, "books/solaris")).to_contain_text("numberOfPages: 0")
    expect(kind(page, "books/solaris", "numberOfPages")).to_be_focused()
    reset(page, "books/solaris")
    expect(swift(page, "books/solaris")).to_contain_text("numberOfPages: 204")


@pytest.mark.parametrize("width", [1440, 360])
def test_accessible(guide, watched, width):
    page = watched(guide, viewport={"width": width, "height": 900}, bypass_csp=True)
    expect(page.get_by_text("Swift process runs")).to_be_visible()
    expect(swift(page, "books/frankenstein").locator("pre")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == width
    axe(page, f"the guide, {width} px wide")


def test_accessible_without_the_swift_process(alone, watched):
    page = watched(alone, bypass_csp=True)
    expect(page.get_by_role("region", name="Notice")).to_be_visible()
    axe(page, "the guide without its process")
