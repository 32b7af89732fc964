"""Explaining queries through the client's own `explain_options` and `get_explain_metrics` (QR-71)."""

import pytest
from google.cloud.firestore_v1.base_query import FieldFilter
from google.cloud.firestore_v1.base_vector_query import DistanceMeasure
from google.cloud.firestore_v1.query_profile import ExplainOptions, QueryExplainError
from google.cloud.firestore_v1.vector import Vector

SCAN = {"query_scope": "Collection", "properties": "(__name__ ASC)"}


@pytest.fixture
def numbers(fill):
    return fill("numbers", **{f"n{i}": {"n": i, "v": Vector([float(i), 0.0])} for i in range(20)})


def queries(numbers):
    return {
        "all": numbers,
        "filtered": numbers.where(filter=FieldFilter("n", ">", 14)),
        "window": numbers.order_by("n").offset(3).limit(4),
        "nothing": numbers.where(filter=FieldFilter("n", ">", 100)),
        "nearest": numbers.find_nearest("v", Vector([3.0, 0.0]), limit=2, distance_measure=DistanceMeasure.EUCLIDEAN),
    }


def names(index):
    """What the client is promised of an index; Hearth says the collection, too."""
    return {key: index[key] for key in ("query_scope", "properties")}


@pytest.mark.parametrize("name", ["all", "filtered", "window", "nothing", "nearest"])
def test_a_plan_alone(numbers, name):
    for ask in ("stream", "get"):
        found = getattr(queries(numbers)[name], ask)(explain_options=ExplainOptions(analyze=False))
        assert list(found) == []
        metrics = found.get_explain_metrics()
        assert len(metrics.plan_summary.indexes_used) > 0
        with pytest.raises(QueryExplainError):
            metrics.execution_stats


@pytest.mark.parametrize("name, results, reads", [
    ("all", 20, 20), ("filtered", 5, 5), ("window", 4, 7), ("nothing", 0, 1), ("nearest", 2, 3),
])
def test_results_and_what_they_took(numbers, name, results, reads):
    found = queries(numbers)[name].stream(explain_options=ExplainOptions(analyze=True))
    assert len(list(found)) == results
    metrics = found.get_explain_metrics()
    assert names(metrics.plan_summary.indexes_used[0]) == SCAN
    stats = metrics.execution_stats
    assert (stats.results_returned, stats.read_operations) == (results, reads)
    assert stats.execution_duration.total_seconds() > 0
    assert set(stats.debug_stats["billing_details"]) == {"documents_billable", "index_entries_billable", "min_query_cost", "small_ops"}
    assert int(stats.debug_stats["documents_scanned"]) >= results and int(stats.debug_stats["index_entries_scanned"]) >= 0


def test_a_group(db, numbers):
    found = db.collection_group("numbers").stream(explain_options=ExplainOptions(analyze=True))
    assert len(list(found)) == 20
    assert names(found.get_explain_metrics().plan_summary.indexes_used[0]) == {**SCAN, "query_scope": "Collection group"}


@pytest.mark.parametrize("make", [
    lambda query: query.count(alias="x"), lambda query: query.sum("n", alias="x"), lambda query: query.avg("n", alias="x"),
])
def test_aggregations(numbers, make):
    found = make(numbers).stream(explain_options=ExplainOptions(analyze=False))
    assert list(found) == []
    assert names(found.get_explain_metrics().plan_summary.indexes_used[0]) == SCAN

    found = make(numbers).stream(explain_options=ExplainOptions(analyze=True))
    assert len(list(found)) == 1
    stats = found.get_explain_metrics().execution_stats
    # Up to a thousand entries are one read.
    assert (stats.results_returned, stats.read_operations) == (1, 1)


def test_without_options_nothing_is_explained(numbers):
    found = numbers.stream()
    assert len(list(found)) == 20
    with pytest.raises(QueryExplainError):
        found.get_explain_metrics()
