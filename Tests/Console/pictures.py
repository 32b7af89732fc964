# SPDX-License-Identifier: Apache-2.0
"""`make console-pictures`: the pictures of docs/guides/console.md, of the real console with the data of the guide.

Arguments name pictures; --all writes each also in the other theme and 360 px wide, to .build/screenshots, to be looked at.
"""
import base64, io, json, pathlib, sys, tempfile, time, urllib.parse
from PIL import Image
from playwright.sync_api import expect, sync_playwright
from pages import edit, field, integer, is_live, row, text
from served import CHROMIUM, PATIENCE, ROOT, Served

TARGET = ROOT / "docs" / "pictures"
LOOKED_AT = ROOT / ".build" / "screenshots" / "pictures"
CITIES = ROOT / "Examples/Guide/Sources/Guide/Resources/cities-large.jsonl"
MOST_BYTES = 60 << 10
RULES = """rules_version = '2';

service cloud.firestore {
  match /databases/{database}/documents {
    function isOwner(book) {
      return request.auth.uid == book.owner;
    }

    match /cities/{city} {
      allow read;
    }

    match /books/{book} {
      allow read: if request.auth != null;
      allow create: if isOwner(request.resource.data);
      allow update, delete: if isOwner(resource.data);
    }
  }
}
"""
BOOKS = {
    "left-hand": ("The Left Hand of Darkness", "Ursula K. Le Guin", 304, "science fiction", 1969, "alice"),
    "hitchhiker": ("The Hitchhiker's Guide to the Galaxy", "Douglas Adams", 224, "science fiction", 1979, "bob"),
    "network-effect": ("Network Effect", "Martha Wells", 346, "science fiction", 2020, "alice"),
    "emma": ("Emma", "Jane Austen", 474, "novel", 1815, "alice"),
    "middlemarch": ("Middlemarch", "George Eliot", 880, "novel", 1871, "carol"),
    "frankenstein": ("Frankenstein", "Mary Shelley", 280, "novel", 1818, "bob"),
    "orlando": ("Orlando", "Virginia Woolf", 336, "novel", 1928, "carol"),
    "beloved": ("Beloved", "Toni Morrison", 324, "novel", 1987, "alice"),
    "kindred": ("Kindred", "Octavia E. Butler", 264, "science fiction", 1979, "bob"),
    "solaris": ("Solaris", "Stanisław Lem", 204, "science fiction", 1961, "carol"),
}


def fill(database):
    def city(line):
        c = json.loads(line)
        fields = {"name": text(c["name"]), "country": text(c["country"]), "population": integer(c["population"]), "timezone": text(c["timezone"]),
                  "location": {"geoPointValue": {"latitude": c["latitude"], "longitude": c["longitude"]}},
                  "alternateNames": {"arrayValue": {"values": [text(n) for n in c["alternateNames"]]}}}
        return {"update": {"name": f"{database.root}/cities/{c['id']}", "fields": fields}}

    writes = [city(line) for line in CITIES.read_text().splitlines()]
    for start in range(0, len(writes), 500):
        database.commit(*writes[start:start + 500])
    for id, (title, author, number, genre, year, owner) in BOOKS.items():
        database.set(f"books/{id}", {
            "title": text(title), "author": text(author), "numberOfPages": integer(number), "genre": text(genre), "owner": text(owner), "rating": {"doubleValue": 4.5},
            "published": {"timestampValue": f"{year}-03-01T00:00:00Z"}, "available": {"booleanValue": True}, "cover": {"bytesValue": base64.b64encode(title.encode()).decode()},
            "shelf": {"referenceValue": f"{database.root}/shelves/{genre.replace(' ', '-')}"}, "sequel": {"nullValue": None},
            "tags": {"arrayValue": {"values": [text("classic"), text(genre)]}}, "size": {"mapValue": {"fields": {"height": {"doubleValue": 19.8}, "width": {"doubleValue": 12.9}}}}})
        database.set(f"books/{id}/reviews/r1", {"stars": integer(5), "text": text("Read it twice.")})
    database.set("shelves/novel", {"room": text("north")})


def query(**parts):
    return "?q=" + urllib.parse.quote(json.dumps(parts))


def user(id):
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in ({"alg": "none"}, {"sub": id, "user_id": id})) + "."


class Pictures:
    def __init__(self, served):
        self.database, self.served = served.project("guide"), served

    def data(self, open):
        page = open("data", "books/left-hand")
        expect(field(page, "title")).to_be_visible()
        field(page, "tags").locator(".value-cell").click()
        field(page, "size").locator(".value-cell").click()
        is_live(page)
        return page

    def editing(self, open):
        page = open("data", "books/left-hand")
        edit(page, "numberOfPages", "305")
        field(page, "published").locator(".value-cell").click()
        return page

    def merge(self, open):
        page = open("data", "books/emma")
        edit(page, "numberOfPages", "475")
        edit(page, "rating", "4.75")
        self.database.call("POST", f"/v1/{self.database.root}:commit", {"writes": [{"update": {"name": f"{self.database.root}/books/emma", "fields": {"numberOfPages": integer(480 + int(time.time()) % 9)}}, "updateMask": {"fieldPaths": ["numberOfPages"]}}]})
        expect(page.locator(".mark-theirs")).to_be_visible()
        page.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("heading", name="The document has changed")).to_be_visible()
        return page

    def cities(self, open):
        page = open("data", "cities", query(where={"fieldFilter": {"field": {"fieldPath": "country"}, "op": "EQUAL", "value": text("JP")}}, orderBy=[{"field": {"fieldPath": "population"}, "direction": "DESCENDING"}]))
        expect(page.get_by_text("Tokyo").first).to_be_visible()
        return page

    def query(self, open):
        page = open("query", "", query(structuredQuery={
            "from": [{"collectionId": "cities"}], "where": {"fieldFilter": {"field": {"fieldPath": "country"}, "op": "EQUAL", "value": text("NG")}},
            "orderBy": [{"field": {"fieldPath": "population"}, "direction": "DESCENDING"}], "limit": 20}))
        expect(page.get_by_text("Lagos").first).to_be_visible()
        expect(page.locator(".explain")).to_be_visible()
        return page

    def requests(self, open):
        page = open("requests")
        is_live(page)
        for id, path in [("alice", "books/emma"), ("alice", "cities/1850147"), ("bob", "books/kindred")]:
            self.served.send("GET", f"/v1/{self.database.root}/{path}", None, {"Authorization": f"Bearer {user(id)}"})
        self.served.send("POST", f"/v1/{self.database.root}:runQuery", {"structuredQuery": {"from": [{"collectionId": "cities"}], "where": {"fieldFilter": {"field": {"fieldPath": "country"}, "op": "EQUAL", "value": text("FR")}}, "limit": 20}}, {"Content-Type": "application/json"})
        self.served.send("PATCH", f"/v1/{self.database.root}/books/middlemarch?updateMask.fieldPaths=title", {"fields": {"title": text("Mine")}}, {"Authorization": f"Bearer {user('bob')}", "Content-Type": "application/json"})
        page.locator(".grid-row", has_text="PERMISSION_DENIED").first.click(position={"x": 30, "y": 10})
        expect(page.locator(".trace").first).to_be_visible()
        return page

    def rules(self, open):
        page = open("rules")
        area = page.get_by_label("Rules", exact=True)
        expect(area).to_have_value(RULES)
        area.fill(RULES.replace("allow read;", "allow read: if request.auth.uid = 'alice';"))
        expect(page.locator(".issue").first).to_be_visible()
        return page

    def usage(self, open):
        page = open("usage")
        end = time.monotonic() + 16
        while time.monotonic() < end:
            for name in BOOKS:
                self.database.get(f"books/{name}")
            self.database.set("ticks/one", {"at": integer(int(time.time() * 1000))})
        expect(page.locator(".sparkline polyline").first).to_be_attached()
        return page

    def indexes(self, open):
        page = open("indexes")
        expect(page.get_by_role("table").first).to_be_visible()
        return page

    def databases(self, open):
        def admin(method, path, body=None):
            return self.database.call(method, f"/v1/projects/guide/databases{path}", body)

        if admin("GET", "/staging-2026") is None:
            admin("POST", "?databaseId=staging-2026", {"deleteProtectionState": "DELETE_PROTECTION_ENABLED"})
            admin("PATCH", "/(default)/collectionGroups/sessions/fields/until?updateMask=ttlConfig", {"ttlConfig": {}})
            admin("POST", "/(default):exportDocuments", {"outputUriPrefix": "gs://exports/books", "collectionIds": ["books"]})
        page = open("databases")
        expect(page.locator(".panel")).to_contain_text("Can be restored") if page.viewport_size["width"] > 1000 else page.locator(".grid-row").first.click()
        expect(page.locator(".panel")).to_contain_text("gs://exports/books")
        return page

    def events(self, open):
        for id in ["emma", "kindred", "orlando"]:
            self.database.set(f"orders/{id}", {"book": {"referenceValue": f"{self.database.root}/books/{id}"}, "copies": integer(2)})
        page = open("events")
        expect(page.locator(".grid-row").nth(2)).to_be_visible()
        page.locator(".grid-row", has_text="orders/kindred").first.click(position={"x": 30, "y": 10})
        expect(page.locator(".panel")).to_contain_text("copies")
        return page

    def insights(self, open):
        def ask(field, value, order):
            self.database.call("POST", f"/v1/{self.database.root}:runQuery", {"structuredQuery": {
                "from": [{"collectionId": "cities"}], "where": {"fieldFilter": {"field": {"fieldPath": field}, "op": "EQUAL", "value": text(value)}},
                "orderBy": [{"field": {"fieldPath": order}, "direction": "DESCENDING"}], "limit": 20}})

        for country in ["NG", "FR", "JP"]:
            ask("country", country, "population")
        for _ in range(3):
            ask("timezone", "Europe/Berlin", "name")
        for number in range(40):
            self.database.set("counters/visits", {"n": integer(number)})
        page = open("insights")
        page.locator(".grid-row", has_text="timezone == …").first.click(position={"x": 30, "y": 10})
        expect(page.locator(".panel")).to_contain_text("Documents read")
        return page

    def transfer(self, open):
        page = open("transfer")
        page.get_by_label("File", exact=True).set_input_files({"name": "books.jsonl", "mimeType": "text/plain", "buffer": b'{"path": "books/emma", "fields": {"title": "Emma"}}\n{"path": "books/persuasion", "fields": {"title": "Persuasion"}}\n'})
        page.get_by_role("button", name="Try without writing").click()
        expect(page.get_by_text("2 documents would be written.")).to_be_visible()
        return page


# Each in one theme: the pages are the same in both.
TAKEN = {"data": "light", "editing": "light", "merge": "light", "cities": "dark", "query": "light", "requests": "dark", "rules": "light", "usage": "dark", "indexes": "light", "transfer": "light", "databases": "light", "events": "dark", "insights": "light"}


def small(data, path):
    image = Image.open(io.BytesIO(data)).convert("RGB")
    # Surfaces and letters as they are, and of the rest what covers it: the few pixels of a mark have their colour.
    frequent = [c for _, c in sorted(image.getcolors(1 << 24), reverse=True)]
    for colours in (96, 64, 32, 16):
        rest = image.quantize(colours, method=Image.Quantize.MAXCOVERAGE).getpalette()[:3 * colours]
        palette = Image.new("P", (1, 1))
        palette.putpalette([part for colour in frequent[:colours] for part in colour] + rest)
        image.quantize(palette=palette, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= MOST_BYTES:
            return
    raise SystemExit(f"{path} takes {path.stat().st_size} bytes")


def main():
    wanted = [a for a in sys.argv[1:] if not a.startswith("--")] or list(TAKEN)
    variants = [("light", (1280, 760)), ("dark", (1280, 760)), ("light", (360, 740)), ("dark", (360, 740))] if "--all" in sys.argv else [None]
    expect.set_options(timeout=PATIENCE * 1000)
    TARGET.mkdir(parents=True, exist_ok=True)
    LOOKED_AT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        rules = pathlib.Path(folder, "firestore.rules")
        rules.write_text(RULES)
        for place in ["archive", "exports"]:
            pathlib.Path(folder, place).mkdir()
        triggers = pathlib.Path(folder, "events.json")
        # Nothing listens there.
        triggers.write_text(json.dumps({"triggers": [{"name": "mail", "database": "projects/guide/databases/(default)", "document": "orders/{order}", "on": ["created", "updated"], "url": "http://127.0.0.1:9/orders", "retry": "1s"}]}))
        served = Served(
            folder, "--development", "--data", f"{folder}/data", "--durability", "relaxed", "--console-values", "--project", "guide", "--rules", str(rules),
            "--archive", f"{folder}/archive", "--bucket", f"exports={folder}/exports", "--events", str(triggers), "--slow", "1ms")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb", "--hide-scrollbars"])
        try:
            pictures = Pictures(served)
            fill(pictures.database)
            for name in wanted:
                for variant in variants:
                    scheme, (width, height) = variant or (TAKEN[name], (1280, 760))
                    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, timezone_id="Europe/Berlin", locale="en-GB", reduced_motion="reduce")
                    context.set_default_timeout(PATIENCE * 1000)
                    page = context.new_page()

                    def open(where, path="", query=""):
                        page.goto(pictures.database.url(where, path, query))
                        return page

                    try:
                        getattr(pictures, name)(open)
                    except Exception as error:
                        # At 360 px editing is not what the pages are for.
                        print(f"{name} {scheme} {width}: {str(error).splitlines()[0]}", file=sys.stderr)
                        if not variant:
                            raise
                    page.mouse.move(width - 1, height - 1)
                    page.wait_for_timeout(300)
                    data = page.screenshot()
                    if variant:
                        (LOOKED_AT / f"{name}-{scheme}-{width}.png").write_bytes(data)
                    else:
                        small(data, TARGET / f"console-{name}.png")
                        print(f"docs/pictures/console-{name}.png: {(TARGET / f'console-{name}.png').stat().st_size} bytes")
                    context.close()
        finally:
            browser.close()
            served.stop()


if __name__ == "__main__":
    main()
