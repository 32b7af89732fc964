"""The asynchronous client."""

import asyncio

import pytest
import pytest_asyncio
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter


@pytest_asyncio.fixture
async def adb(project):
    return firestore.AsyncClient(project=project)


@pytest.mark.asyncio
async def test_documents(adb):
    ref = adb.document("c/a")
    await ref.set({"n": 1})
    await ref.update({"n": firestore.Increment(1)})
    assert (await ref.get()).to_dict() == {"n": 2}
    with pytest.raises(exceptions.AlreadyExists):
        await ref.create({})
    await ref.delete()
    assert not (await ref.get()).exists


@pytest.mark.asyncio
async def test_many_simultaneous_calls(adb):
    numbers = adb.collection("numbers")
    await asyncio.gather(*(numbers.document(f"n{n:03}").set({"n": n}) for n in range(100)))
    found = [doc.id async for doc in numbers.where(filter=FieldFilter("n", ">=", 50)).order_by("n").limit(3).stream()]
    assert found == ["n050", "n051", "n052"]
    assert (await numbers.count().get())[0][0].value == 100
    docs = await asyncio.gather(*(numbers.document(f"n{n:03}").get() for n in range(100)))
    assert [doc.get("n") for doc in docs] == list(range(100))


@pytest.mark.asyncio
async def test_batches_and_listing(adb):
    batch = adb.batch()
    for id in "abc":
        batch.set(adb.document(f"c/{id}"), {"id": id})
    batch.set(adb.document("c/a/sub/x"), {})
    await batch.commit()
    assert [ref.id async for ref in adb.collection("c").list_documents()] == ["a", "b", "c"]
    assert [ref.id async for ref in adb.document("c/a").collections()] == ["sub"]
    assert sorted([doc.id async for doc in adb.get_all([adb.document("c/a"), adb.document("c/zzz")])]) == ["a", "zzz"]
    assert await adb.recursive_delete(adb.collection("c")) == 4


@pytest.mark.asyncio
async def test_transactions(adb):
    ref = adb.document("c/counter")
    await ref.set({"n": 0})

    @firestore.async_transactional
    async def add(transaction):
        found = await ref.get(transaction=transaction)
        transaction.update(ref, {"n": found.get("n") + 1})

    async def work():
        for _ in range(5):
            while True:
                try:
                    await add(adb.transaction(max_attempts=20))
                    break
                except (exceptions.Aborted, ValueError):
                    continue

    await asyncio.gather(*(work() for _ in range(4)))
    assert (await ref.get()).get("n") == 20
