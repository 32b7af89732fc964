"""A dump of an earlier moment is restored: listeners that have seen later commits must not keep them."""

import queue
import subprocess
import threading

import grpc
from google.cloud.firestore_v1.types import firestore as messages

DATABASE = "projects/restored/databases/(default)"
METADATA = [("authorization", "Bearer owner"), ("google-cloud-resource-prefix", DATABASE)]
SERVICE = "/google.firestore.v1.Firestore/"


def commit(channel, id, number):
    write = {"update": {"name": f"{DATABASE}/documents/c/{id}", "fields": {"n": {"integer_value": number}}}}
    request = messages.CommitRequest(database=DATABASE, writes=[write])
    call = channel.unary_unary(SERVICE + "Commit", type(request).serialize, messages.CommitResponse.deserialize)
    call(request, metadata=METADATA, timeout=20)


def listen(channel, view, token=b""):
    """Follows the collection until the view is current; returns its resume token."""
    query = {"parent": f"{DATABASE}/documents", "structured_query": {"from_": [{"collection_id": "c"}]}}
    target = {"query": query, "target_id": 1, **({"resume_token": token} if token else {})}
    requests = queue.Queue()
    requests.put(messages.ListenRequest(database=DATABASE, add_target=target))
    stub = channel.stream_stream(
        SERVICE + "Listen", messages.ListenRequest.serialize, messages.ListenResponse.deserialize)
    call = stub(iter(requests.get, None), metadata=METADATA, timeout=20)
    for answer in call:
        kind = answer.target_change.target_change_type.name if answer.target_change else None
        if kind == "RESET":
            view.clear()
        if answer.document_change.document.name:
            document = answer.document_change.document
            view[document.name.rpartition("/")[2]] = document.fields["n"].integer_value
        token = answer.target_change.resume_token or token
        if kind == "NO_CHANGE" and token:
            threading.Thread(target=call.cancel).start()
            return token
    raise AssertionError("the stream has ended")


def restore(server, dump):
    schemas = server.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'hearth%'").split()
    for schema in schemas:
        server.execute(f'DROP SCHEMA "{schema}" CASCADE')
    subprocess.run([f"{server.bin}/pg_restore", "-d", server.url, dump], check=True)


def test_a_listener_that_has_seen_lost_commits_begins_again(server, start_node, tmp_path):
    node, view, dump = start_node(), {}, str(tmp_path / "hearth.dump")
    with grpc.insecure_channel(node.address) as channel:
        commit(channel, "a", 1)
        subprocess.run([f"{server.bin}/pg_dump", "-Fc", "--schema=hearth*", "-f", dump, server.url], check=True)
        commit(channel, "a", 2)
        token = listen(channel, view)
        assert view == {"a": 2}
    node.stop()
    restore(server, dump)
    node.start()
    with grpc.insecure_channel(node.address) as channel:
        # Later than the token.
        commit(channel, "b", 1)
        listen(channel, view, token)
        assert view == {"a": 1, "b": 1}
