"""What a user of Cloud Functions deploys. `received` is where the tests look."""

import builtins

from firebase_functions import firestore_fn

# functions-framework imports this file several times, one time for each function.
if not hasattr(builtins, "hearth_received"):
    builtins.hearth_received = []


def _note(kind, event):
    builtins.hearth_received.append((kind, event))


@firestore_fn.on_document_created(document="all/{id}")
def created(event):
    _note("created", event)


@firestore_fn.on_document_updated(document="all/{id}")
def updated(event):
    _note("updated", event)


@firestore_fn.on_document_deleted(document="all/{id}")
def deleted(event):
    _note("deleted", event)


@firestore_fn.on_document_written(document="all/{id}")
def written(event):
    _note("written", event)
