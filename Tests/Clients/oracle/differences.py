"""Every accepted difference between the official emulator and `hearth serve`, each with its reason.

Hearth keeps server semantics for everything that changes data or results, so most of these say where the
emulator is not the service. A matcher is as narrow as possible; an entry that a full run does not need fails the run.
docs/reference/emulator-differences.md is made of this list.
"""

import re
from dataclasses import dataclass
from typing import Callable

# What the emulator says of writes of one document that it cannot put together.
COLLAPSING = "in the same request|in a single request|Cannot collapse mutations"
FAULTS = ("UNKNOWN", "HTTP 500", "INTERNAL")


@dataclass(frozen=True)
class Difference:
    id: str
    # Rules of docs/semantics.
    rule: str
    what: str
    matches: Callable


def codes(theirs, ours, says="", case="", method="", family=""):
    """The emulator ends with `theirs` (and says something), Hearth with `ours`. Statuses inside a BatchWrite count too."""
    names = {0: "OK", 3: "INVALID_ARGUMENT", 5: "NOT_FOUND", 6: "ALREADY_EXISTS", 9: "FAILED_PRECONDITION"}
    wanted = {theirs} if isinstance(theirs, str) else set(theirs)

    def matches(d):
        found = (d.theirs, d.ours)
        if "status" in d.path and isinstance(d.theirs, int):
            found = (names.get(d.theirs), names.get(d.ours))
        elif not d.is_code:
            return False
        return (found[0] in wanted and found[1] == ours and re.search(says, d.details[0] or "") is not None
                and re.search(case, d.case) is not None and re.search(method, d.method) is not None and re.search(family, d.family) is not None)
    return matches


def part(*heads, case="", family="", method="", test=lambda theirs, ours, d: True):
    """A position in the answer that begins with one of `heads`."""
    def matches(d):
        return (d.place[:1] and d.place[0] in heads and re.search(case, d.case) is not None and re.search(family, d.family) is not None
                and re.search(method, d.method) is not None and bool(test(d.theirs, d.ours, d)))
    return matches


def any_of(*matchers):
    return lambda d: any(matches(d) for matches in matchers)


def query_of(d):
    """The query of a request, or None."""
    request = d.request
    if request is None:
        return None
    for name in ("structured_query", "structured_aggregation_query"):
        if name in request.DESCRIPTOR.fields_by_name and request.HasField(name):
            found = getattr(request, name)
            return found.structured_query if name == "structured_aggregation_query" else found
    return None


def writes_of(d):
    return [write.update.name or write.delete or write.transform.document for write in getattr(d.request, "writes", [])]


def _several_writes(d):
    names = writes_of(d)
    return len(set(names)) < len(names)


DIFFERENCES = [
    # Answers of every kind -----------------------------------------------------------------------------------------
    Difference("done", "QR-45", "The emulator sets `done` in the last message of RunQuery and, over REST, of RunAggregationQuery; the service never does.",
               any_of(part("done", method="RunQuery", test=lambda theirs, ours, d: theirs is True and ours is False),
                      lambda d: d.method == "REST" and d.path[-1] == "done" and d.theirs is True and d.ours is None)),
    Difference("emulator-faults", "HT-4", "Where the emulator has an internal error (`UNKNOWN`: invalid UTF-8, six aggregations, an illegal read time; pipelines, which version 528.0.0 does not have), Hearth reports the error in the request, and runs pipelines.",
               lambda d: d.is_code and (d.method != "Listen" or "Application error" in d.details[0]) and d.theirs in FAULTS and d.ours in ("INVALID_ARGUMENT", "FAILED_PRECONDITION", "UNIMPLEMENTED")),
    Difference("pages-by-order", "QR-51", "The emulator cannot continue from a page token of a list with `order_by` (`UNKNOWN`).",
               any_of(codes("UNKNOWN", ("OK"), method="ListDocuments|REST", family="reads|rest"),
                      codes(("UNKNOWN", "NOT CALLED"), "NOT CALLED", method="ListDocuments", family="reads"), codes("NOT CALLED", "OK", case="pages .'order_by'"))),
    # Names, paths, values ------------------------------------------------------------------------------------------
    Difference("four-underscores", "DM-5, DM-15", "`____` matches the reserved pattern `__.*__`; the emulator takes it as an id or a field name.",
               codes("OK", "INVALID_ARGUMENT", case="'____'", method="Commit|REST")),
    Difference("long-names-in-reads", "DM-5, DM-10", "Ids of more than 1500 bytes, names of more than 6 KiB or 100 levels are rejected in reads and deletes, too; the emulator looks for the document.",
               codes(("OK", "NOT_FOUND"), "INVALID_ARGUMENT", case=r"of (1501|1502|453|855|8057|\d{4}) bytes", family="illegal_writes")),
    Difference("other-database", "DM-4", "A name of another database in a request is rejected; the emulator reads and writes there.",
               any_of(codes("OK", "INVALID_ARGUMENT", case=r"databases/other|elsewhere|databases/default|another database|another project|other database", family="illegal_writes|reads|transactions|rest"))),
    Difference("nested-key-of-1500-bytes", "DM-15", "A key of 1500 bytes inside a map or an array is legal; the emulator counts the path to it.",
               codes("INVALID_ARGUMENT", "OK", case=r"key .*of 1500 bytes", says="invalid nested entity")),
    Difference("path-of-1500-bytes", "DM-19", "A field path of 1500 bytes is legal; the emulator requires fewer.", codes("INVALID_ARGUMENT", "OK", says="property path is longer than 1500 bytes")),
    Difference("mask-name", "DM-21", "`__name__` is illegal in the masks and transforms of a write; the emulator ignores it.", codes("OK", "INVALID_ARGUMENT", case="mask path '__name__'|^of __name__|: of __name__")),
    Difference("empty-vector", "VAL-20", "Only the number of dimensions is bounded, from above; the emulator rejects an empty vector.", codes("INVALID_ARGUMENT", "OK", says="zero length vector", case="value: empty vector")),
    Difference("vector-with-nan", "VAL-20", "The emulator rejects NaN as a component of a vector.", codes("INVALID_ARGUMENT", "OK", says="Vector cannot contain NaN", case="value: vector with NaN")),
    Difference("zeros-in-places-and-vectors", "VAL-6, VAL-11", "0.0 and −0.0 are equal inside geopoints and vectors, too; the emulator distinguishes them there.",
               part("documents", "empty_messages", case="zeros in places and vectors", family="filters")),
    Difference("500-transforms", "WR-31", "A document accepts 500 transforms per commit; the emulator accepts any number.", codes("OK", "INVALID_ARGUMENT", case="501 transforms")),
    Difference("arrays-in-transforms", "WR-37, DM-28", "An array as an element of a union or removal is rejected, also inside a map; the emulator stores arrays in arrays.",
               codes("OK", "INVALID_ARGUMENT", case="(append_missing_elements|remove_all_from_array) of |twice the corner")),
    Difference("zeros-in-unions", "VAL-19", "0.0 and −0.0 are equal elements also inside geopoints; the emulator adds the other one, and removes only the identical one.",
               part("found", test=lambda theirs, ours, d: "geo " in str(theirs) or "geo " in str(ours) or d.path[-1] == "update_time", case=r"(append_missing_elements|remove_all_from_array) on \[geo")),
    # Writes --------------------------------------------------------------------------------------------------------
    Difference("future-on-missing", "WR-11", "A precondition time in the future is rejected before the document is read; the emulator reports a missing document first.",
               codes("FAILED_PRECONDITION", "INVALID_ARGUMENT", case="if future, ")),
    Difference("precondition-before-1970", "WR-11", "The emulator rejects precondition times before 1970; in Hearth they match no document.",
               any_of(codes("INVALID_ARGUMENT", "FAILED_PRECONDITION", says="Only timestamps past epoch", case="if negative, "),
                      codes("INVALID_ARGUMENT", "OK", says="Only timestamps past epoch", case="^batch: .* if negative, "))),
    Difference("tombstones", "WR-11", "To a precondition a deleted document is a missing one; the emulator compares with the time of the delete.",
               any_of(codes(("NOT_FOUND", "OK"), "FAILED_PRECONDITION", case="if last time, deleted"),
                      lambda d: codes("NOT_FOUND", "FAILED_PRECONDITION", says="no entity to update", case="^random|: random")(d) and "requires an update time" in d.details[1])),
    Difference("time-of-a-commit-elsewhere", "WR-11", "The emulator rejects (`INVALID_ARGUMENT`) a precondition time later than the document's own; only one later than now is illegal.",
               codes("INVALID_ARGUMENT", "FAILED_PRECONDITION", says="Invalid base version, it is greater than the stored version")),
    Difference("verify-of-a-missing-document", "WR-12", "A verified document that is missing has no update time; the emulator reports the time of its read.",
               any_of(part("write_results", test=lambda theirs, ours, d: d.path[-1] == "update_time" and ours is None and isinstance(theirs, str), case="verify|random", family="preconditions|writes|rest"),
                      part("commit_time", "write_results", case="(batch: |^)verify if not exists, missing|body: verify", family="preconditions|rest"))),
    Difference("several-writes-of-a-document", "WR-13, WR-14", "Writes of one document in one commit are applied in order, in any combination; the emulator rejects some sequences (create twice, delete then update, verify beside a write).",
               codes("INVALID_ARGUMENT", ("OK"), says=COLLAPSING)),
    Difference("several-writes-refused-otherwise", "WR-13", "Writes of one document in one commit, as above, where Hearth finds a precondition that does not hold.",
               any_of(*(codes("INVALID_ARGUMENT", ours, says=COLLAPSING) for ours in ("ALREADY_EXISTS", "NOT_FOUND", "FAILED_PRECONDITION")))),
    Difference("precondition-after-a-write", "WR-13", "A precondition sees the effects of earlier writes of the commit; the emulator checks the time against the state before the commit.",
               codes("OK", "FAILED_PRECONDITION", case="update if as read, twice|^random", method="Commit")),
    Difference("result-of-each-write", "WR-15, WR-22", "Each write reports the update time after itself, none for a delete; the emulator reports the document's last state for all writes of it.",
               part("write_results", test=lambda theirs, ours, d: d.path[-1] == "update_time" and _several_writes(d))),
    # Queries -------------------------------------------------------------------------------------------------------
    Difference("descending-names", "QR-31", "Order by `__name__` descending is legal; the emulator has no descending scan of keys.",
               any_of(codes("FAILED_PRECONDITION", "OK", says="does not support descending key scans|or they're an ascending primary key scan"), lambda d: _target(d, "query: by name down", (9, None), ("removed", "current")))),
    Difference("group-below-a-document", "QR-2", "A collection group may start below a document; the emulator requires the root.", codes("INVALID_ARGUMENT", "OK", says="only allowed at the root parent")),
    Difference("equal-null-and-nan", "QR-11", "EQUAL and NOT_EQUAL with null or NaN mean the unary filters; the emulator finds nothing.",
               part("documents", "empty_messages", test=lambda theirs, ours, d: _compares_with_null_or_nan(d))),
    Difference("not-in-nan", "QR-8", "`not-in` with NaN leaves NaN out, as an integration suite of the service asserts; the emulator includes it.",
               part("documents", test=lambda theirs, ours, d: any(leaf.op == 10 and any(value.double_value != value.double_value for value in leaf.value.array_value.values)
                                                                  for leaf in _leaves_of(d)))),
    Difference("empty-range-in-or", "QR-30", "A range that ends in null or NaN matches nothing, and its field is required even below an OR; the emulator does not require it.",
               part("documents", "empty_messages", test=lambda theirs, ours, d: any(
                   leaf.op in (1, 2, 3, 4) and _is_null_or_nan(leaf.value) for leaf in _leaves_of(d)))),
    Difference("array-membership-twice", "QR-23", "One array-membership clause per alternative, also on the same field; the emulator accepts two array-contains-any.",
               codes("OK", "INVALID_ARGUMENT", case="contains any twice|^random")),
    Difference("skipped-results", "QR-41", "Skipped results are reported once, in a first message without a document; the emulator repeats them in every message, or reports none.",
               any_of(part("skipped", "skipped_in", "empty_messages", method="RunQuery", test=lambda theirs, ours, d: query_of(d) is not None and query_of(d).offset > 0),
                      lambda d: d.family == "rest" and d.path == ("body",) and "offset" in d.case and _shorter_by_one(d.theirs, d.ours))),
    Difference("nested-array-operand", "DM-28", "A filter's operand is checked like stored data; the emulator accepts an array in an array.", codes("OK", "INVALID_ARGUMENT", case="nested array operand")),
    Difference("select-nothing", "QR-43", "A projection without fields is none; the emulator returns names alone.",
               part("documents", test=lambda theirs, ours, d: len(d.path) == 4 and d.path[2] == "fields" and theirs is None and query_of(d) is not None and query_of(d).HasField("select") and not query_of(d).select.fields)),
    Difference("explain", "QR-71", "The emulator ignores `explain_options`.", any_of(part("explain_metrics"), part("documents", "empty_messages", "read_time", "without_read_time", case="^explain"))),
    # Aggregations, neighbours --------------------------------------------------------------------------------------
    Difference("aggregations-behind-names", "QR-63", "Sums over a query that is ordered or filtered by `__name__` work; the emulator requires an index.", codes("INVALID_ARGUMENT", "OK", says="This query requires an index that has fields")),
    Difference("aggregations-with-select", "QR-63", "A projection below an aggregation has no effect; the emulator rejects it.", codes("INVALID_ARGUMENT", "OK", says="Cannot apply property masks when aggregation|base query that only returns keys")),
    Difference("count-up-to-0", "QR-64", "`up_to` must be positive; the emulator accepts 0.", codes("OK", "INVALID_ARGUMENT", case="up to 0")),
    Difference("aggregation-without-a-query", "QR-4", "An aggregation needs a query; the emulator treats a missing one as all documents.", codes("OK", "INVALID_ARGUMENT", case="^no query", family="aggregations")),
    Difference("distance-field", "QR-60", "The field for the distance is one name of the document; the emulator accepts paths, even malformed ones.", codes("OK", "INVALID_ARGUMENT", case="nearest: result in a (bad )?path")),
    Difference("equal-distances", "QR-58", "Equal distances are ordered by name; the emulator uses the order of the query.", any_of(part("documents", case="nearest: with an (inequality|order)", family="aggregations"),
                      lambda d: d.family == "rest" and "nearest: with an " in d.case and d.path[:1] == ("body",) and d.path[2:3] == ("document",))),
    # Reads, lists --------------------------------------------------------------------------------------------------
    Difference("read-time-before-1970", "QR-48", "A read time before the retention window is `FAILED_PRECONDITION`; the emulator says `INVALID_ARGUMENT` before 1970.",
               codes("INVALID_ARGUMENT", "FAILED_PRECONDITION", says="Only timestamps past epoch", family="reads|rest")),
    Difference("read-time-out-of-the-window", "QR-48", "A read time of more than an hour ago is rejected; the emulator answers with the data it has.",
               codes(("OK", "NOT_FOUND"), "FAILED_PRECONDITION", case="an hour and a bit ago")),
    Difference("collections-at-an-illegal-time", "VAL-23, QR-48", "ListCollectionIds checks its read time like every other call; the emulator reports it as too old.",
               codes("FAILED_PRECONDITION", "INVALID_ARGUMENT", method="ListCollectionIds", case="at (misaligned|bad nanos)")),
    Difference("full-last-page", "QR-51", "The last page has no token even if it is full; the emulator returns one, for an empty page.",
               any_of(part("next_page_token", test=lambda theirs, ours, d: theirs == "a token" and ours is None), codes("OK", "NOT CALLED"),
                      lambda d: d.method == "REST" and d.path[-1] == "nextPageToken" and d.ours is None)),
    Difference("missing-documents", "DM-11", "A missing document in a list has no time, and a mask applies to the others; the emulator gives it a time, and ignores the mask.",
               part("documents", test=lambda theirs, ours, d: getattr(d.request, "show_missing", False) and theirs is not None and (
                   d.path[-1] == "update_time" and ours is None or d.path[2] == "fields" and d.request.HasField("mask")))),
    Difference("order-text", "QR-51", "Spaces around the clauses of a list's `order_by` have no effect; the emulator rejects them.", codes("INVALID_ARGUMENT", "OK", says="Invalid order by clause")),
    Difference("foreign-page-token", "QR-51", "A page token is valid for its request only; the emulator accepts it in others.", codes("OK", "INVALID_ARGUMENT", case="^token of another", family="reads")),
    Difference("partitions", "QR-70", "The emulator does not have PartitionQuery.", lambda d: d.is_code and d.theirs == "UNIMPLEMENTED" and (d.method == "PartitionQuery" or "partition: " in d.case) and d.ours in ("OK", "INVALID_ARGUMENT")),
    # Transactions --------------------------------------------------------------------------------------------------
    Difference("optimistic-transactions", "TX-2", "Hearth lets writers outside the transaction continue and rejects the transaction that read what they changed; the emulator makes them wait.",
               codes("OK", "ABORTED", case="contention: a (write outside|phantom)$", method="Commit")),
    Difference("finished-transactions", "TX-7", "The id of a finished transaction fails with `ABORTED`; the emulator returns `INVALID_ARGUMENT`.", codes("INVALID_ARGUMENT", "ABORTED", says="Transaction is invalid or closed")),
    Difference("empty-commit-in-a-transaction", "WR-19", "The commit of a transaction without writes has a time; the emulator returns none.", part("commit_time", case="commit nothing|random", family="transactions|rest", test=lambda theirs, ours, d: theirs is None and ours is not None)),
    Difference("retry-of-read-only", "TX-9", "Any known transaction can be named as the one to retry; the emulator rejects a read-only one.", codes("INVALID_ARGUMENT", "OK", says="Cannot retry a read-only transaction")),
    Difference("read-time-in-a-transaction", "TX-3", "All reads of a transaction are as of one time, and return it; the emulator's read-write transactions lock what they read and return the newest data.",
               part("read_time", family="transactions|rest", case="random", test=lambda theirs, ours, d: theirs == "now" and str(ours).startswith("before commit"))),
    Difference("moment-of-a-transaction", "TX-3", "A transaction reads as of its first read; the emulator's as of its start.",
               part("found", "documents", "read_time", case="the moment is that of the first read", family="transactions|rest")),
    # Streams -------------------------------------------------------------------------------------------------------
    Difference("write-stream-without-writes", "LS-38", "A message without writes closes the Write stream; the emulator answers it.",
               lambda d: d.method == "Write" and d.path == () and d.ours is None and d.theirs == {"stream_token": "a token"}),
    Difference("write-stream-database", "DM-1", "The database of a Write stream is checked at the handshake; the emulator waits for the first write.", codes("OK", "INVALID_ARGUMENT", case="bad database", method="Write")),
    Difference("write-stream-token", "LS-38", "A stream token that was not issued on the stream is rejected; the emulator does not check it.", codes("OK", "INVALID_ARGUMENT", case="garbage token", method="Write")),
    # Listening -----------------------------------------------------------------------------------------------------
    Difference("told-again", "LS-14, LS-22", "Hearth sends a target what has changed; the emulator repeats documents and removals that the client knows.",
               lambda d: d.method == "Listen" and d.path == ("again",) and d.ours == []),
    Difference("bad-target-ends-stream", "LS-9", "An invalid target is removed with a cause, and the stream continues; the emulator ends it (`UNKNOWN`) for two sources, a negative limit, an id in use, an empty target.",
               codes("UNKNOWN", "OK", method="Listen", case="^(query: two sources|query: negative limit|the same id twice|empty target)$")),
    Difference("chosen-id-after-0", "LS-3", "Once the server assigns ids, a chosen one is rejected; the emulator accepts both.", codes("OK", "INVALID_ARGUMENT", case="^id 0, then a chosen id$")),
    Difference("ids-for-0", "LS-3", "Ids assigned for 0 begin at 1; the emulator's continue after the highest.", lambda d: d.case == "a chosen id, then 0" and d.path in (("targets", "1"), ("targets", "6"))),
    Difference("listen-database", "DM-1, DM-4", "The database of a Listen stream is that of its messages, and targets must belong to it; the emulator only checks a header.",
               any_of(codes("OK", "INVALID_ARGUMENT", case="^no database$", method="Listen"),
                      lambda d: _target(d, "^another database$|^parent of another database$", (None, 3), ("current", "removed")))),
    Difference("no-documents", "LS-2", "A documents target without documents is rejected; the emulator accepts it.", lambda d: _target(d, "^no documents$", (None, 3), ("current", "removed"))),
    Difference("once", "LS-6", "A `once` target is removed after its first answer; the emulator ignores `once`.", lambda d: _target(d, "^once", (None, None), ("current", "removed"))),
    Difference("garbage-resume-token", "LS-4", "An invalid resume token removes the target; the emulator ignores resume tokens.", lambda d: _target(d, "^garbage token$", (None, 3), ("current", "removed"))),
    # REST ----------------------------------------------------------------------------------------------------------
    Difference("rest-stream-errors", "HT-3", "A streaming call returns an error as an array of one element; the emulator as an object.", lambda d: d.method == "REST" and d.path == ("body",) and d.ours == [d.theirs]),
    Difference("rest-no-answer", "HT-2", "The emulator never answers some requests: a transaction in the query string, a name in both path and body, a page size that is not a number.",
               lambda d: d.method == "REST" and d.is_code and d.theirs == "NO ANSWER" and d.ours != "NO ANSWER"),
    Difference("rest-unknown-route", "HT-3", "A path without a route fails with `NOT_FOUND` in JSON; the emulator answers a bare 404.", codes("HTTP 404", "NOT_FOUND")),
    Difference("rest-long-url", "DM-5, DM-10", "The emulator has no route for long names.", codes("HTTP 404", "OK", case=r"of (1500|6055) bytes", family="rest")),
    Difference("rest-head", "HT-2", "HEAD answers like GET without the body, and a body may have any content type; the emulator has no route for them.", codes("HTTP 404", "OK", case="route: head|content type 'application/x-www-form-urlencoded'")),
    Difference("rest-other-method", "HT-2", "A method that a path does not offer is answered with a 405 that lists the others (`Allow`); the emulator answers a bare 404.",
               codes("HTTP 404", "UNIMPLEMENTED", case="route: ", family="rest")),
    Difference("rest-lenient-json", "VAL-24", "The emulator accepts JSON that is not protobuf's: comments, `5e0`, booleans and numbers as text, 0 for null.",
               codes("OK", "INVALID_ARGUMENT", case="value: (integer as 5e0|null by number|boolean as text|text as number)$|body: comment$")),
    Difference("rest-minus-zero", "VAL-24", "−0.0 keeps its sign in JSON; the emulator loses it.", lambda d: d.method == "REST" and d.path[-1] == "doubleValue" and (d.theirs, d.ours) == ("0.0", "-0.0")),
    Difference("rest-parameters", "HT-4", "Unknown or malformed parameters of a URL are rejected; the emulator ignores them.", any_of(
        codes("OK", "INVALID_ARGUMENT", case="route: (with an unknown parameter|list missing, badly)$"), codes("FAILED_PRECONDITION", "INVALID_ARGUMENT", case="route: patch with a bad time$"),
        codes("INVALID_ARGUMENT", ("OK"), says="Only timestamps past epoch", family="rest", case="reads: at "))),
    Difference("rest-escaped-slash", "DM-5, DM-8", "An escaped slash is part of an id, and ids must not contain slashes; the emulator treats it as a separator.", codes("OK", "INVALID_ARGUMENT", case="route: an escaped slash")),
]


def _target(d, case, causes, states):
    """A target's state in a Listen stream, which differs as a whole."""
    if d.method != "Listen" or not re.search(case, d.case) or d.path[:1] != ("targets",):
        return False
    if d.path[2:] == ("cause",):
        return (d.theirs, d.ours) == causes
    if d.path[2:] == ("state",):
        return (d.theirs, d.ours) == states
    return d.path[2] == "documents" and (d.theirs is None or d.ours is None)


def _shorter_by_one(theirs, ours):
    return isinstance(theirs, list) and isinstance(ours, list) and any(set(each) <= {"skippedResults", "read_time"} for each in ours)


def _compares_with_null_or_nan(d):
    return any(_null_or_nan(leaf) for leaf in _leaves_of(d))


def _leaves_of(d):
    """The comparisons of a request's query."""
    query = query_of(d)
    return _leaves(query.where) if query is not None else ()


def _leaves(where):
    if where.HasField("composite_filter"):
        for each in where.composite_filter.filters:
            yield from _leaves(each)
    elif where.HasField("field_filter"):
        yield where.field_filter


def _null_or_nan(leaf):
    return leaf.op in (5, 6) and _is_null_or_nan(leaf.value)


def _is_null_or_nan(value):
    return (value.WhichOneof("value_type") == "null_value" or value.WhichOneof("value_type") == "double_value" and value.double_value != value.double_value)


def entry_for(diff):
    return next((entry for entry in DIFFERENCES if entry.matches(diff)), None)
