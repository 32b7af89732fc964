"""What `firebase deploy --only firestore:indexes` sends, in its order, replayed from its source (OT-31)."""


class Deploy:
    """The file's indexes and field overrides, made those of a database."""

    FILTER = "indexConfig.usesAncestorConfig=false OR ttlConfig:*"

    def __init__(self, server, database):
        self.server, self.database, self.changes = server, database, []

    def change(self, verb, path, body, query=None):
        self.changes.append((verb, path))
        return self.server.good(verb, path, body, query)

    def run(self, indexes, overrides):
        self.changes = []
        groups = f"{self.database}/collectionGroups"
        existing = self.server.good("GET", f"{groups}/-/indexes").get("indexes", [])
        fields = self.server.good("GET", f"{groups}/-/fields", query={"filter": self.FILTER}).get("fields", [])
        assert any(field["name"].endswith("/__default__/fields/*") for field in fields)
        fields = [field for field in fields if "__default__" not in field["name"]]
        assert self.server.good("GET", self.database)["databaseEdition"] == "STANDARD"
        for index in indexes:
            if not any(self.same(index, other) for other in existing):
                body = {"fields": index["fields"], "queryScope": index["queryScope"]}
                self.change("POST", f"{groups}/{index['collectionGroup']}/indexes", body)
        wanted = {(override["collectionGroup"], override["fieldPath"]) for override in overrides}
        for field in fields:
            group, path = field["name"].split("/collectionGroups/")[1].split("/fields/")
            if (group, path) not in wanted:
                self.change("PATCH", field["name"], {})
        # Policies that end come before those that begin, in case they are of one collection.
        for override in sorted(overrides, key=lambda override: override.get("ttl", False)):
            self.patch(override, fields)

    def patch(self, override, fields):
        name = f"{self.database}/collectionGroups/{override['collectionGroup']}/fields/{override['fieldPath']}"
        entries = [
            {"queryScope": entry.get("queryScope", "COLLECTION"),
             "fields": [{key: value for key, value in [("fieldPath", override["fieldPath"]), *entry.items()] if key != "queryScope"}]}
            for entry in override["indexes"]]
        present = next((field for field in fields if field["name"] == name), None)
        if present and self.entries(present) == self.entries({"indexConfig": {"indexes": entries}}) \
                and ("ttlConfig" in present) == override.get("ttl", False):
            return
        if "ttl" in override:
            body = {"indexConfig": {"indexes": entries}} | ({"ttlConfig": {}} if override["ttl"] else {})
            self.change("PATCH", name, body)
        else:
            self.change("PATCH", name, {"indexConfig": {"indexes": entries}}, {"updateMask": "indexConfig"})

    @staticmethod
    def entries(field):
        return sorted(
            (index["queryScope"], index["fields"][0].get("order", index["fields"][0].get("arrayConfig")))
            for index in field["indexConfig"].get("indexes", []))

    @staticmethod
    def same(index, other):
        def parts(fields):
            return [(field["fieldPath"], field.get("order"), field.get("arrayConfig")) for field in fields if field["fieldPath"] != "__name__"]

        return (other["name"].split("/collectionGroups/")[1].split("/")[0] == index["collectionGroup"]
                and other["queryScope"] == index["queryScope"] and parts(other["fields"]) == parts(index["fields"]))


INDEXES = [
    {"collectionGroup": "books", "queryScope": "COLLECTION",
     "fields": [{"fieldPath": "author", "order": "ASCENDING"}, {"fieldPath": "year", "order": "DESCENDING"}]},
    {"collectionGroup": "books", "queryScope": "COLLECTION",
     "fields": [{"fieldPath": "author", "order": "DESCENDING"}, {"fieldPath": "year", "order": "ASCENDING"}]},
    {"collectionGroup": "books", "queryScope": "COLLECTION_GROUP",
     "fields": [{"fieldPath": "tags", "arrayConfig": "CONTAINS"}, {"fieldPath": "year", "order": "DESCENDING"}]},
]


def expiring(field, ttl=True):
    return {"collectionGroup": "sessions", "fieldPath": field, "ttl": ttl, "indexes": [{"order": "ASCENDING", "queryScope": "COLLECTION"}]}


def test_a_second_deployment_changes_nothing(server, database):
    deploy = Deploy(server, database)
    overrides = [{"collectionGroup": "books", "fieldPath": "text", "indexes": []}, expiring("expires")]
    deploy.run(INDEXES, overrides)
    assert len(deploy.changes) == 5
    deploy.run(INDEXES, overrides)
    assert deploy.changes == []


def test_expiry_moves_from_one_field_to_another_in_one_deployment(server, database):
    deploy = Deploy(server, database)
    deploy.run([], [expiring("expires")])
    deploy.run([], [expiring("until"), expiring("expires", ttl=False)])
    fields = server.good("GET", f"{database}/collectionGroups/sessions/fields", query={"filter": "ttlConfig:*"})["fields"]
    assert [field["name"].rsplit("/", 1)[1] for field in fields] == ["until"]


def test_a_field_that_is_removed_goes_back_to_its_default(server, database):
    deploy = Deploy(server, database)
    deploy.run([], [expiring("expires")])
    deploy.run([], [])
    field = server.good("GET", f"{database}/collectionGroups/sessions/fields/expires")
    assert field["indexConfig"]["usesAncestorConfig"] and "ttlConfig" not in field
