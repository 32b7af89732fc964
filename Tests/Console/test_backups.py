# SPDX-License-Identifier: Apache-2.0
"""Backups on the page of databases: schedules, backups, and new databases out of them and of the past."""
import re, time
import pytest
from playwright.sync_api import expect
from pages import axe, books, integer
from served import FULL


@pytest.fixture
def shop(serve, tmp_path):
    (tmp_path / "archive").mkdir()
    served = serve("--development", "--data", str(tmp_path / "data"), "--project", "shop", "--archive", str(tmp_path / "archive"))
    database = served.project("shop")
    books(database, 3)
    return database


def panel(page):
    return page.locator(".panel")


def documents(shop, database):
    answer = shop.call("GET", f"/v1/projects/shop/databases/{database}/documents/books?pageSize=10")
    return len(answer.get("documents", []))


def test_backups_are_scheduled_restored_and_deleted(shop, watched):
    page = watched.open(shop.url("databases"))
    expect(panel(page)).to_contain_text("No backups are scheduled.")
    panel(page).get_by_role("button", name="Schedule", exact=True).click()
    page.get_by_label("Days to keep each").fill("14")
    axe(page, "the dialog of a schedule")
    page.keyboard.press("Enter")
    expect(panel(page)).to_contain_text("Every day, kept 14 days")
    panel(page).get_by_role("button", name="Schedule", exact=True).click()
    page.get_by_label("When").select_option("SUNDAY")
    page.locator("dialog").get_by_role("button", name="Schedule", exact=True).click()
    expect(panel(page)).to_contain_text("Every Sunday, kept 7 days")
    # A database has two at most.
    expect(panel(page).get_by_role("button", name="Schedule", exact=True)).to_have_count(0)
    # The first one is made on the day of its schedule.
    backup = panel(page).locator(".entry", has=page.get_by_role("button", name="Restore", exact=True)).first
    expect(backup).to_contain_text("3 documents")
    axe(page, "a database with backups")
    shop.call("DELETE", f"/v1/{shop.root}/books/bk-001")
    backup.get_by_role("button", name="Restore").click()
    page.get_by_label("New database id").fill("shop-restored")
    page.keyboard.press("Enter")
    expect(page.locator(".toast", has_text="shop-restored is ready.")).to_be_visible()
    assert documents(shop, "shop-restored") == 3 and documents(shop, "(default)") == 2
    page.locator(".toast").get_by_role("button", name="Open").click()
    expect(page).to_have_url(re.compile("/databases/shop/shop-restored$"))
    page.go_back()
    panel(page).get_by_role("button", name=re.compile("Delete the backup")).first.click()
    page.locator("dialog").get_by_role("button", name="Delete").click()
    expect(page.locator(".toast", has_text="Deleted.")).to_be_visible()
    panel(page).get_by_role("button", name="Delete the schedule: Every Sunday, kept 7 days").click()
    page.locator("dialog").get_by_role("button", name="Delete").click()
    expect(panel(page)).not_to_contain_text("Every Sunday")


def test_a_moment_becomes_a_database(shop, watched):
    page = watched.open(shop.url("databases"))
    expect(panel(page)).to_contain_text("of the past hour")
    panel(page).get_by_role("button", name="Recovery on").click()
    expect(panel(page)).to_contain_text("of the past week")
    moment = panel(page).get_by_role("button", name="Restore a moment")
    if not FULL:
        # The database is younger than a minute, unless one has just ended.
        moment.click()
        expect(page.locator(".toast", has_text="no whole minute").or_(page.locator("dialog"))).to_be_visible()
        return
    time.sleep(61 - time.time() % 60)
    shop.set("books/later", {"n": integer(9)})
    # The archive has it a second later.
    time.sleep(4)
    page.reload()
    moment.click()
    axe(page, "the dialog of a moment")
    page.get_by_label("New database id").fill("shop-then")
    page.keyboard.press("Enter")
    expect(page.locator(".toast", has_text="shop-then is ready.")).to_be_visible()
    assert documents(shop, "shop-then") == 3
