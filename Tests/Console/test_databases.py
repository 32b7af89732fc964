# SPDX-License-Identifier: Apache-2.0
"""The page of databases: create, protect, delete, bring back; what expires; the archive; operations."""
import re
import pytest
from playwright.sync_api import expect
from pages import axe, books, row, text


@pytest.fixture
def shop(serve, tmp_path):
    """A server in files, in development, with an archive and a place for exports."""
    for folder in ["archive", "exports"]:
        (tmp_path / folder).mkdir()
    served = serve("--development", "--data", str(tmp_path / "data"), "--project", "shop", "--archive", str(tmp_path / "archive"), "--bucket", f"exports={tmp_path / 'exports'}")
    database = served.project("shop")
    books(database, 3)
    return database


def open_page(shop, watched, **options):
    return watched.open(shop.url("databases"), **options)


def admin(shop, method, path, body=None):
    return shop.call(method, f"/v1/projects/shop/databases{path}", body)


def panel(page):
    return page.locator(".panel")


def test_a_database_is_created_protected_deleted_and_brought_back(shop, watched):
    watched.tolerate("400", "404")
    page = open_page(shop, watched)
    expect(row(page, "shop / (default)")).to_be_visible()
    axe(page, "databases")
    page.get_by_role("button", name="New database").click()
    axe(page, "the dialog of a new database")
    page.get_by_label("Database id").fill("X")
    page.keyboard.press("Enter")
    expect(page.locator(".toast.error").last).to_contain_text("INVALID_ARGUMENT")
    page.keyboard.press("n")
    page.get_by_label("Database id").fill("stock-2026")
    page.get_by_label("Protect from deletion").check()
    page.get_by_role("button", name="Create", exact=True).click()
    expect(panel(page).get_by_role("heading", level=2)).to_have_text("shop / stock-2026")
    expect(page).to_have_url(re.compile("/console/databases/shop/stock-2026$"))
    expect(row(page, "shop / stock-2026")).to_be_visible()
    assert admin(shop, "GET", "/stock-2026")["deleteProtectionState"] == "DELETE_PROTECTION_ENABLED"
    # What is protected cannot be deleted.
    expect(panel(page).get_by_role("button", name="Delete", exact=True)).to_be_disabled()
    panel(page).get_by_role("button", name="Unprotect").click()
    expect(panel(page).get_by_role("button", name="Delete", exact=True)).to_be_enabled()
    assert admin(shop, "GET", "/stock-2026")["deleteProtectionState"] == "DELETE_PROTECTION_DISABLED"
    panel(page).get_by_role("button", name="Delete", exact=True).click()
    dialog = page.locator("dialog")
    expect(dialog).to_contain_text("It can be brought back within a day.")
    dialog.get_by_label("Type stock-2026 to confirm").fill("stock")
    page.keyboard.press("Enter")
    expect(dialog).to_contain_text("The text is not")
    dialog.get_by_label("Type stock-2026 to confirm").fill("stock-2026")
    page.keyboard.press("Enter")
    expect(page.locator(".grid-row", has_text="shop / stock-2026")).to_contain_text("deleted")
    expect(page).to_have_url(re.compile(r"/console/databases/shop/\(default\)$"))
    assert admin(shop, "GET", "/stock-2026") is None
    row(page, "shop / stock-2026").click()
    axe(page, "a deleted database")
    page.get_by_role("button", name="Bring back").click()
    expect(panel(page).get_by_role("heading", level=2)).to_have_text("shop / stock-2026")
    expect(panel(page).get_by_role("button", name="Protect", exact=True)).to_be_visible()
    assert admin(shop, "GET", "/stock-2026")["name"].endswith("/stock-2026")


def test_expiry_is_set_up_and_stopped(shop, watched):
    page = open_page(shop, watched)
    expect(panel(page)).to_contain_text("No documents expire.")
    panel(page).get_by_role("button", name="Set up").click()
    page.get_by_label("Collection id").fill("sessions")
    page.get_by_label("Field with the time").fill("until")
    page.get_by_role("button", name="Set up").last.click()
    expect(panel(page)).to_contain_text("sessions.until")
    field = "/(default)/collectionGroups/sessions/fields/until"
    assert "ttlConfig" in admin(shop, "GET", field)
    expect(panel(page)).to_contain_text("Settings of a field")
    axe(page, "a database with an expiry")
    panel(page).get_by_role("button", name="Stop expiry of sessions").click()
    page.locator("dialog").get_by_role("button", name="Stop").click()
    expect(panel(page)).to_contain_text("No documents expire.")
    assert "ttlConfig" not in admin(shop, "GET", field)


def test_the_archive_and_the_moments_that_it_restores_are_shown(shop, watched):
    page = open_page(shop, watched)
    expect(panel(page).get_by_text("Can be restored")).to_be_visible()
    expect(panel(page)).to_contain_text("complete")
    expect(panel(page)).to_contain_text("--archive-verify")
    axe(page, "a database with an archive")


def test_operations_are_shown_as_they_proceed_and_cancelled(shop, watched):
    page = open_page(shop, watched)
    expect(panel(page)).to_contain_text("Delete protection")
    admin(shop, "POST", "/(default):exportDocuments", {"outputUriPrefix": "gs://exports/first"})
    export = panel(page).locator(".entry", has_text="gs://exports/first")
    expect(export).to_contain_text("done")
    expect(export).to_contain_text("3 documents")
    for start in range(0, 40000, 500):
        shop.commit(*[{"update": {"name": f"{shop.root}/many/m{start + i}", "fields": {"t": text("x" * 200)}}} for i in range(500)])
    admin(shop, "POST", "/(default):bulkDeleteDocuments", {"collectionIds": ["many"]})
    page.reload()
    deletion = panel(page).locator(".entry", has_text="Bulk delete")
    expect(deletion).to_contain_text("many")
    # On a machine with much room it is over by now.
    cancel = deletion.get_by_role("button", name="Cancel")
    if cancel.is_visible():
        cancel.click()
        expect(deletion).to_contain_text("cancelled")
        assert shop.call("GET", f"/v1/{shop.root}/many?pageSize=1")["documents"]
    else:
        expect(deletion).to_contain_text("done")


def test_databases_by_keyboard_on_a_narrow_page_and_read_only(shop, serve, watched, tmp_path):
    page = open_page(shop, watched, viewport={"width": 360, "height": 700})
    expect(row(page, "shop / (default)")).to_be_visible()
    expect(panel(page)).to_have_count(0)
    page.get_by_role("grid", name="Databases").focus()
    page.keyboard.press("Enter")
    expect(panel(page)).to_contain_text("Delete protection")
    axe(page, "a database on a narrow page")
    page.keyboard.press("Escape")
    expect(panel(page)).to_have_count(0)
    quiet = serve("--development", "--data", str(tmp_path / "other"), "--project", "shop", "--console-read-only").project("shop")
    page = open_page(quiet, watched)
    expect(panel(page)).to_contain_text("Delete protection")
    for name in ["New database", "Delete", "Protect", "Set up"]:
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)


def test_an_empty_server_can_begin_with_a_database(serve, watched, tmp_path):
    served = serve("--development", "--data", str(tmp_path / "data"), "--strict")
    page = watched.open(f"{served.base}/console/databases#t={served.token}")
    expect(page.get_by_text("No databases yet.")).to_be_visible()
    page.get_by_role("button", name="New database").click()
    page.get_by_label("Database id").fill("(default)")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/console/databases/demo/\(default\)$"))
    expect(panel(page)).to_contain_text("Delete protection")
