// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

let database = DatabaseID(projectID: "p")

func map(_ entries: (String, Value)...) -> Value { .map(FieldMap(entries)) }

/// A server timestamp that the authority has not assigned yet, as a tree.
func pendingTimestamp(_ seconds: Int64, nanoseconds: Int32 = 0, previous: Value? = nil) -> Value {
    let time = Value.timestamp(TimestampValue(seconds: seconds, nanoseconds: nanoseconds))
    var entries = [("__local_write_time__", time), ("__type__", Value.string("server_timestamp"))]
    if let previous { entries.append(("__previous_value__", previous)) }
    return .map(FieldMap(entries))
}

func reference(_ path: String) -> Value { .reference(database.documentsPrefix + path) }

func document(_ path: String, _ entries: (String, Value)..., version: Int64 = 1) -> Document {
    Document(
        key: DocumentKey(trusted: path), createTime: DocumentVersion(microseconds: version),
        updateTime: DocumentVersion(microseconds: version), fields: FieldBytes(FieldMap(entries)))
}

/// `a.b.c`, by dots alone.
func path(_ dotted: String) -> FieldPathSegments {
    FieldPathSegments(dotted.split(separator: ".", omittingEmptySubsequences: false).map { String($0) })
}

extension QueryFilter {
    static func field(_ dotted: String, _ op: FieldOperator, _ value: Value) -> QueryFilter {
        .field(FirestoreSemanticsTests.path(dotted), op, ValueBytes(value))
    }
}

extension StructuredQuery {
    /// Over the collection `c`. A minus in front of an order makes it descending.
    static func c(
        _ filter: QueryFilter? = nil, orders: [String] = [], start: QueryBound? = nil, end: QueryBound? = nil,
        offset: Int = 0, limit: Int? = nil
    ) -> StructuredQuery {
        StructuredQuery(
            scope: .collection(CollectionPath(trusted: "c")), filter: filter,
            orders: orders.map { order in
                let descending = order.hasPrefix("-")
                return SortOrder(
                    path: path(descending ? String(order.dropFirst()) : order),
                    direction: descending ? .descending : .ascending)
            }, start: start, end: end, offset: offset, limit: limit)
    }
}

extension QueryBound {
    init(_ values: Value..., before: Bool) { self.init(values: values.map { ValueBytes($0) }, before: before) }
}

/// Runs the body and expects this code; answers the error.
@discardableResult
func expect(
    _ code: FirestoreError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws(FirestoreError) -> Void
) -> FirestoreError? {
    do {
        try body()
        Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        return nil
    } catch {
        #expect(error.code == code, sourceLocation: sourceLocation)
        return error
    }
}
