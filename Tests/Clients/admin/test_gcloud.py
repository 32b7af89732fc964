"""Every command of gcloud that OP-50 lists, with gcloud itself (OT-25)."""


def test_databases_live_from_creation_to_deletion(gcloud, server, project):
    created = gcloud("databases", "create", "--database=books", "--location=nam5", "--type=firestore-native")
    assert created["response"]["name"] == f"projects/{project}/databases/books"
    described = gcloud("databases", "describe", "--database=books")
    assert (described["locationId"], described["type"]) == ("nam5", "FIRESTORE_NATIVE")
    assert [entry["name"] for entry in gcloud("databases", "list")] == [described["name"]]
    updated = gcloud("databases", "update", "--database=books", "--delete-protection")
    assert updated["response"]["deleteProtectionState"] == "DELETE_PROTECTION_ENABLED"
    assert "protect" in gcloud("databases", "delete", "--database=books", "--quiet", fails=True)
    gcloud("databases", "update", "--database=books", "--no-delete-protection")
    gcloud("databases", "delete", "--database=books", "--quiet")
    assert gcloud("databases", "list") == []


def test_locations_are_those_of_the_databases(gcloud, project):
    assert [entry["locationId"] for entry in gcloud("locations", "list")] == ["local"]
    gcloud("databases", "create", "--database=books", "--location=nam5", "--type=firestore-native")
    assert [entry["locationId"] for entry in gcloud("locations", "list")] == ["local", "nam5"]


def test_indexes_and_fields(gcloud, database):
    gcloud("indexes", "composite", "create", "--collection-group=books", "--field-config=field-path=author,order=ascending",
           "--field-config=field-path=year,order=descending")
    listed = gcloud("indexes", "composite", "list")
    assert [field["fieldPath"] for field in listed[0]["fields"]] == ["author", "year", "__name__"]
    assert listed[0]["apiScope"] == "ANY_API"
    index = listed[0]["name"].rsplit("/", 1)[1]
    assert gcloud("indexes", "composite", "describe", index)["queryScope"] == "COLLECTION"
    gcloud("indexes", "composite", "delete", index, "--quiet")
    assert gcloud("indexes", "composite", "list") == []

    gcloud("indexes", "fields", "update", "text", "--collection-group=books", "--disable-indexes")
    described = gcloud("indexes", "fields", "describe", "text", "--collection-group=books")
    assert "indexes" not in described["indexConfig"]
    fields = [field["name"].split("collectionGroups/")[1] for field in gcloud("indexes", "fields", "list")]
    assert "books/fields/text" in fields
    gcloud("indexes", "fields", "update", "tags", "--collection-group=books", "--index=array-config=contains", "--index=order=ascending")
    gcloud("indexes", "fields", "update", "text", "--collection-group=books", "--clear-exemption")
    assert gcloud("indexes", "fields", "describe", "text", "--collection-group=books")["indexConfig"]["usesAncestorConfig"]


def test_time_to_live(gcloud, database):
    gcloud("fields", "ttls", "update", "expires", "--collection-group=sessions", "--enable-ttl")
    assert [policy["ttlConfig"]["state"] for policy in gcloud("fields", "ttls", "list")] == ["ACTIVE"]
    gcloud("fields", "ttls", "update", "expires", "--collection-group=sessions", "--disable-ttl")
    assert gcloud("fields", "ttls", "list") == []


def test_export_import_and_bulk_delete(gcloud, server, database):
    server.write(database, "books/a", "books/b", "films/c")
    exported = gcloud("export", "gs://exports/gcloud", "--collection-ids=books")
    exported = gcloud("operations", "describe", exported["name"])
    assert exported["metadata"]["operationState"] == "SUCCESSFUL"
    deleted = gcloud("bulk-delete", "--collection-ids=books", "--quiet")
    deleted = gcloud("operations", "describe", deleted["name"])
    assert deleted["metadata"]["progressDocuments"]["completedWork"] == "2"
    assert server.ids(database, "books") == []
    gcloud("import", "gs://exports/gcloud")
    assert server.ids(database, "books") == ["a", "b"]
    operations = gcloud("operations", "list")
    assert len(operations) >= 3
    described = gcloud("operations", "describe", operations[0]["name"])
    assert described["name"] == operations[0]["name"]


def test_backups_are_refused_with_a_reason(gcloud, database):
    assert "backup" in gcloud("backups", "list", fails=True)
    assert "backup" in gcloud("backups", "schedules", "create", "--database=(default)", "--recurrence=daily", "--retention=7d", fails=True)
