"""The Python admin client over gRPC and REST (OT-26)."""

import datetime

import pytest
from google.api_core import exceptions
from google.cloud import firestore_admin_v1
from google.cloud.firestore_admin_v1.types import Database, UpdateFieldRequest
from google.longrunning import operations_pb2
from google.protobuf import duration_pb2, field_mask_pb2


def test_databases(client, server, project, request):
    name = f"db-{request.node.callspec.id}"
    parent = f"projects/{project}"
    database = client.create_database(
        parent=parent, database_id=name,
        database=Database(location_id="eur3", type_=Database.DatabaseType.FIRESTORE_NATIVE),
    ).result(timeout=30)
    assert database.name == f"{parent}/databases/{name}"
    assert (database.location_id, database.database_edition.name) == ("eur3", "STANDARD")
    assert database.version_retention_period == datetime.timedelta(hours=1)
    assert client.get_database(name=database.name) == database or client.get_database(name=database.name).uid == database.uid
    assert [entry.name for entry in client.list_databases(parent=parent).databases] == [database.name]
    changed = client.update_database(
        database=Database(
            name=database.name, delete_protection_state=Database.DeleteProtectionState.DELETE_PROTECTION_ENABLED),
        update_mask=field_mask_pb2.FieldMask(paths=["delete_protection_state"]),
    ).result(timeout=30)
    assert changed.etag != database.etag
    with pytest.raises(exceptions.FailedPrecondition if request.node.callspec.id == "grpc" else exceptions.BadRequest):
        client.delete_database(name=database.name)
    client.update_database(
        database=Database(
            name=database.name, delete_protection_state=Database.DeleteProtectionState.DELETE_PROTECTION_DISABLED),
        update_mask=field_mask_pb2.FieldMask(paths=["delete_protection_state"]))
    gone = client.delete_database(name=database.name).result(timeout=30)
    assert gone.uid == database.uid
    with pytest.raises(exceptions.NotFound):
        client.get_database(name=database.name)
    deleted = client.list_databases(request={"parent": parent, "show_deleted": True}).databases
    assert [(entry.uid, entry.previous_id) for entry in deleted] == [(database.uid, name)]


def test_indexes_in_pages(client, database):
    parent = f"{database}/collectionGroups/books"
    Index = firestore_admin_v1.Index
    for number in range(3):
        operation = client.create_index(
            parent=parent,
            index=Index(
                query_scope=Index.QueryScope.COLLECTION,
                fields=[
                    Index.IndexField(field_path="author", order=Index.IndexField.Order.ASCENDING),
                    Index.IndexField(field_path=f"year{number}", order=Index.IndexField.Order.DESCENDING),
                ]))
        index = operation.result(timeout=30)
        assert index.state == Index.State.READY
        assert operation.metadata.index == index.name
    names = [index.name for index in client.list_indexes(request={"parent": parent, "page_size": 2})]
    assert len(names) == 3 == len(set(names))
    with pytest.raises((exceptions.AlreadyExists, exceptions.Conflict)):
        client.create_index(parent=parent, index=Index(query_scope="COLLECTION", fields=client.get_index(name=names[0]).fields))
    for name in names:
        client.delete_index(name=name)
    assert list(client.list_indexes(parent=f"{database}/collectionGroups/-")) == []
    with pytest.raises(exceptions.NotFound):
        client.get_index(name=names[0])


def test_fields(client, database):
    name = f"{database}/collectionGroups/sessions/fields/expires"
    field = client.get_field(name=name)
    assert field.index_config.uses_ancestor_config
    assert field.index_config.ancestor_field == f"{database}/collectionGroups/__default__/fields/*"
    changed = client.update_field(UpdateFieldRequest(
        field=firestore_admin_v1.Field(
            name=name, ttl_config=firestore_admin_v1.Field.TtlConfig(expiration_offset=duration_pb2.Duration(seconds=90))),
        update_mask=field_mask_pb2.FieldMask(paths=["ttl_config"]))).result(timeout=30)
    assert changed.ttl_config.state.name == "ACTIVE"
    assert changed.ttl_config.expiration_offset == datetime.timedelta(seconds=90)
    found = client.list_fields(request={"parent": f"{database}/collectionGroups/-", "filter": "ttlConfig:*"})
    assert [entry.name for entry in found] == [name]
    with pytest.raises(exceptions.InvalidArgument if "Grpc" in type(client.transport).__name__ else exceptions.BadRequest):
        client.update_field(field=firestore_admin_v1.Field(
            name=f"{database}/collectionGroups/sessions/fields/*", ttl_config=firestore_admin_v1.Field.TtlConfig()))


def test_transfers_and_operations(client, server, database, request):
    server.write(database, *(f"books/{number:04}" for number in range(600)), "films/a")
    folder = f"gs://exports/{request.node.callspec.id}-{database.split('/')[1]}"
    exported = client.export_documents(request={"name": database, "output_uri_prefix": folder})
    assert exported.result(timeout=60).output_uri_prefix == folder
    deleted = client.bulk_delete_documents(request={"name": database, "collection_ids": ["books"]})
    deleted.result(timeout=60)
    assert deleted.metadata.progress_documents.completed_work == 600
    assert server.ids(database, "films") == ["a"]
    client.import_documents(request={"name": database, "input_uri_prefix": folder, "collection_ids": ["books"]}).result(timeout=60)
    assert len(server.ids(database, "books")) == 300  # a page
    name = exported.operation.name
    assert client.get_operation(operations_pb2.GetOperationRequest(name=name)).done
    listed = client.list_operations(operations_pb2.ListOperationsRequest(name=database, page_size=2))
    assert len(listed.operations) == 2 and listed.next_page_token
    client.cancel_operation(operations_pb2.CancelOperationRequest(name=name))
    client.delete_operation(operations_pb2.DeleteOperationRequest(name=name))
    with pytest.raises(exceptions.NotFound):
        client.get_operation(operations_pb2.GetOperationRequest(name=name))


def test_errors_have_their_classes(client, database):
    with pytest.raises((exceptions.MethodNotImplemented,)):
        client.list_user_creds(parent=database)
    # Without an archive.
    with pytest.raises((exceptions.FailedPrecondition, exceptions.BadRequest)):
        client.list_backups(parent="projects/p/locations/-")
    with pytest.raises(exceptions.NotFound):
        client.export_documents(request={"name": database, "output_uri_prefix": "gs://elsewhere/a"})
    with pytest.raises((exceptions.InvalidArgument, exceptions.BadRequest)):
        client.bulk_delete_documents(request={"name": database})
