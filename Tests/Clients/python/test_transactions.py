"""Transactions, also when several want the same (TX-1 … TX-20)."""

import concurrent.futures
import threading

import pytest
from google.api_core import exceptions
from google.cloud import firestore
from google.cloud.firestore_v1.base_query import FieldFilter


def test_reads_then_writes(db):
    ref = db.document("c/a")
    ref.set({"n": 1})

    @firestore.transactional
    def add(transaction):
        value = ref.get(transaction=transaction).get("n")
        transaction.update(ref, {"n": value + 1})
        transaction.create(db.document("c/b"), {"n": value})
        return value

    assert add(db.transaction()) == 1
    assert ref.get().get("n") == 2 and db.document("c/b").get().get("n") == 1


def test_counting_under_contention(db):
    """Nobody's addition is lost, however many add at once."""
    ref = db.document("c/counter")
    ref.set({"n": 0})
    failures = []

    @firestore.transactional
    def add(transaction):
        transaction.update(ref, {"n": ref.get(transaction=transaction).get("n") + 1})

    def work():
        for _ in range(5):
            while True:
                try:
                    add(db.transaction(max_attempts=20))
                    break
                except (exceptions.Aborted, ValueError):
                    continue
                except Exception as error:  # noqa: BLE001
                    failures.append(error)
                    return

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == [] and ref.get().get("n") == 30


def test_sixteen_threads_and_the_default_number_of_attempts(db):
    """The client tries five times without back-off: transactions that are tried again have to keep their place in line (TX-9)."""
    ref = db.document("c/counter")
    ref.set({"n": 0})
    outcomes = []

    @firestore.transactional
    def add(transaction):
        transaction.update(ref, {"n": ref.get(transaction=transaction).get("n") + 1})

    def work():
        for _ in range(5):
            try:
                add(db.transaction())
                outcomes.append("committed")
            except Exception as error:  # noqa: BLE001
                outcomes.append(repr(error))

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # Nothing is lost or applied twice. Without turns half of them use up their attempts. All have committed in every run so far; a
    # machine that stops a thread for the two seconds after which its turn lapses may cost an attempt.
    committed = outcomes.count("committed")
    assert ref.get().get("n") == committed
    assert committed >= 78, outcomes


def _together(db, settings, counter, transaction):
    """Both at the same time, on threads of their own."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pool.submit(lambda: settings.get(transaction=transaction))
        return pool.submit(lambda: counter.get(transaction=transaction)).result()


def _get_all(db, settings, counter, transaction):
    return next(found for found in db.get_all([settings, counter], transaction=transaction) if found.id == "counter")


def _query(db, settings, counter, transaction):
    list(db.collection("settings").limit(1).stream(transaction=transaction))
    return counter.get(transaction=transaction)


def _query_of_counters(db, settings, counter, transaction):
    return next(iter(db.collection("c").limit(1).stream(transaction=transaction)))


READS = {
    "counter": lambda db, settings, counter, transaction: counter.get(transaction=transaction),
    "settings first": lambda db, settings, counter, transaction: settings.get(transaction=transaction)
    and counter.get(transaction=transaction),
    "together": _together,
    "get_all": _get_all,
    "query first": _query,
    "query": _query_of_counters,
}


@pytest.mark.parametrize("order", READS)
def test_a_shared_function_whose_contested_document_is_read_in_any_order(db, order):
    """Threads that share a function name each other's transactions, or none, as what they try again (TX-9). All commit."""
    settings, counter = db.document("settings/all"), db.document("c/counter")
    settings.set({"step": 1})
    counter.set({"n": 0})
    outcomes, attempts = [], []

    @firestore.transactional
    def add(transaction):
        attempts.append(1)
        found = READS[order](db, settings, counter, transaction)
        transaction.update(counter, {"n": found.get("n") + 1})

    def work():
        for _ in range(6):
            try:
                add(db.transaction())
                outcomes.append("committed")
            except Exception as error:  # noqa: BLE001
                outcomes.append(repr(error))

    threads = [threading.Thread(target=work) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{order}: {outcomes.count('committed')} committed, {len(attempts)} attempts")
    assert counter.get().get("n") == outcomes.count("committed")
    # A machine that stops a thread for the two seconds after which its turn lapses may cost an attempt.
    assert outcomes.count("committed") >= 70, outcomes


def test_a_client_that_goes_away_in_its_turn(db):
    """Others wait for it for two seconds at most."""
    ref = db.document("c/counter")
    ref.set({"n": 0})
    lost = db.transaction()
    lost._begin()
    ref.get(transaction=lost)
    ref.set({"n": 1})
    first = lost._id
    lost.update(ref, {"n": 100})
    with pytest.raises(exceptions.Aborted):
        lost._commit()
    lost._clean_up()
    lost._begin(retry_id=first)
    ref.get(transaction=lost)

    @firestore.transactional
    def add(transaction):
        transaction.update(ref, {"n": ref.get(transaction=transaction).get("n") + 1})

    add(db.transaction())
    assert ref.get().get("n") == 2


def test_a_query_that_gets_another_result_is_a_conflict(db, fill):
    tasks = fill("tasks", a={"open": True}, b={"open": False})
    attempts = []

    @firestore.transactional
    def close_all(transaction):
        found = list(tasks.where(filter=FieldFilter("open", "==", True)).stream(transaction=transaction))
        attempts.append([doc.id for doc in found])
        if len(attempts) == 1:
            # Somebody else, on another connection; may have to wait for the transaction (TX-2).
            other = threading.Thread(target=lambda: tasks.document("c").set({"open": True}))
            other.start()
            other.join(0.5)
            rivals.append(other)
        for doc in found:
            transaction.update(doc.reference, {"open": False})

    rivals = []
    close_all(db.transaction())
    rivals[0].join(30)
    now = sorted(doc.id for doc in tasks.where(filter=FieldFilter("open", "==", True)).stream())
    # Either it was repeated and saw the new one, or it came first and the new one after it.
    assert (attempts[-1], now) in [(["a", "c"], []), (["a"], ["c"])]


def test_an_error_rolls_back(db):
    @firestore.transactional
    def fail(transaction):
        transaction.set(db.document("c/a"), {"n": 1})
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        fail(db.transaction())
    assert not db.document("c/a").get().exists


def test_a_failed_precondition_is_not_retried(db):
    calls = []

    @firestore.transactional
    def update(transaction):
        calls.append(1)
        transaction.update(db.document("c/missing"), {"n": 1})

    with pytest.raises(exceptions.NotFound):
        update(db.transaction())
    assert len(calls) == 1


def test_read_only(db, fill):
    numbers = fill("numbers", a={"n": 1}, b={"n": 2})

    transaction = db.transaction(read_only=True)
    transaction._begin()
    assert [doc.get("n") for doc in numbers.stream(transaction=transaction)] == [1, 2]
    numbers.document("a").set({"n": 100})
    found = db.get_all([numbers.document("a"), numbers.document("b")], transaction=transaction)
    assert sorted(doc.get("n") for doc in found) == [1, 2]
    transaction._rollback()
    assert numbers.document("a").get().get("n") == 100


def test_a_read_only_transaction_commits(db, fill):
    """The decorator does so (TX-6)."""
    numbers = fill("numbers", a={"n": 1}, b={"n": 2})

    @firestore.transactional
    def total(transaction):
        return sum(doc.get("n") for doc in numbers.stream(transaction=transaction))

    assert total(db.transaction(read_only=True)) == 3

    transaction = db.transaction(read_only=True)
    transaction._begin()
    with pytest.raises(exceptions.InvalidArgument, match="Cannot modify entities in a read-only transaction"):
        db._firestore_api.commit(request={
            "database": db._database_string, "transaction": transaction._id,
            "writes": [{"update": {"name": numbers.document("a")._document_path}}]})


def test_aggregates_in_a_transaction(db, fill):
    numbers = fill("numbers", a={"n": 1}, b={"n": 2})

    @firestore.transactional
    def note(transaction):
        count = numbers.count().get(transaction=transaction)[0][0].value
        transaction.set(db.document("totals/all"), {"count": count})

    note(db.transaction())
    assert db.document("totals/all").get().get("count") == 2
