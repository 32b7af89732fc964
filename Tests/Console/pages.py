# SPDX-License-Identifier: Apache-2.0
"""What the tests call the parts of a page, and values in the form of REST."""
import re
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect
from served import FULL

text = lambda s: {"stringValue": s}
integer = lambda n: {"integerValue": str(n)}


def books(demo, count=30):
    demo.commit(*[{"update": {"name": f"{demo.root}/books/bk-{i:03}", "fields": {"title": text(f"Book {i}"), "n": integer(i)}}} for i in range(count)])


def row(page, id):
    return page.locator(".grid-row", has=page.get_by_text(id, exact=True))


def field(page, name):
    return page.locator(".panel .field", has=page.locator(".name", has_text=re.compile(f"^{re.escape(name)}$")))


def save(page):
    page.get_by_role("button", name="Save", exact=True).click()
    is_saved(page)


def is_saved(page):
    """Waits for the end of a save. A toast alone may be that of the save before."""
    expect(page.locator(".panel-footer")).to_be_hidden()
    expect(page.locator(".toast", has_text="Saved.").last).to_be_visible()


def edit(page, name, typed):
    """Types a value instead of another one."""
    field(page, name).locator(".value-cell").click()
    page.get_by_label(f"Value of {name}").fill(typed)
    page.keyboard.press("Enter")


def is_live(page):
    """Waits until the page listens to changes."""
    expect(page.locator("#status .state").first).to_have_text("Live")


AXE = Axe().axe_script


def axe(page, what):
    """No violation in either theme. What is not about colours is the same in both, so that the quick size looks for it once."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE)
    for scheme in ["light", "dark"]:
        page.emulate_media(color_scheme=scheme)
        options = {"resultTypes": ["violations"], **({} if FULL or scheme == "light" else {"runOnly": ["color-contrast"]})}
        violations = page.evaluate("(options) => axe.run(options).then((r) => r.violations)", options)
        assert violations == [], f"{what}, {scheme}: " + "; ".join(f"{v['id']}: {[n['html'][:160] for n in v['nodes'][:3]]}" for v in violations)
