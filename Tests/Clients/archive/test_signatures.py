"""OT-16: signatures are those of botocore, byte for byte."""

import json

from archive.caller import Caller
from archive.vectors import FIXTURE, vectors


def test_signatures_equal_botocores():
    with Caller() as caller:
        for request, signed in vectors(seed=16, count=1_000):
            answer = caller.ask({"call": "sign", "request": request})
            assert answer["target"] == signed["target"], request
            assert answer["headers"] == signed["headers"], request


def test_the_vectors_of_the_swift_tests_are_botocores():
    rows = json.loads(FIXTURE.read_text())
    assert [(row["request"], row["signed"]) for row in rows] == list(vectors(seed=27, count=len(rows)))
