// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Protos
import FirestoreWire
import SwiftProtobuf
import Testing

struct QueryRuleTests {
    typealias Query = Google_Firestore_V1_StructuredQuery

    private static let root = "projects/p/databases/(default)/documents"

    private func query(under parent: String = root, _ build: (inout Query) -> Void) throws -> StructuredQuery {
        var message = Google_Firestore_V1_RunQueryRequest()
        message.parent = parent
        message.structuredQuery.from = [.with { $0.collectionID = "c" }]
        build(&message.structuredQuery)
        return try RunQueryRequest(decoding: ByteSlice(try message.serializedBytes() as [UInt8])).query
    }

    private func refusal(_ build: (inout Query) -> Void) {
        let error = #expect(throws: FirestoreError.self) { try query(build) }
        #expect(error?.code == .invalidArgument)
    }

    private func field(_ path: String) -> Query.FieldReference { .with { $0.fieldPath = path } }

    @Test func `the parent and the selector are the scope`() throws {
        // QR-2
        let document = DocumentKey(trusted: "a/b")
        let parent = Self.root + "/a/b"
        #expect(try query { _ in }.scope == .collection(CollectionPath(trusted: "c")))
        #expect(try query(under: parent) { _ in }.scope == .collection(CollectionPath(trusted: "a/b/c")))
        #expect(try query(under: parent) { $0.from[0].allDescendants = true }.scope == .collectionGroup(id: "c", under: document))
        #expect(try query { $0.from = [] }.scope == .kindless(under: nil, allDescendants: false))
        #expect(try query(under: parent) { $0.from = [.with { $0.allDescendants = true }] }.scope == .kindless(under: document, allDescendants: true))
        refusal { $0.from.append(.init()) }
        refusal { $0.from[0].collectionID = "a/b" }
        refusal { $0.from[0].collectionID = "__c__" }
        #expect(throws: FirestoreError.self) { try query(under: Self.root + "/a") { _ in } }
    }

    @Test func `a request without a query is an invalid argument`() throws {
        // QR-4
        var message = Google_Firestore_V1_RunQueryRequest()
        message.parent = Self.root
        let error = #expect(throws: FirestoreError.self) { try RunQueryRequest(decoding: ByteSlice(try message.serializedBytes() as [UInt8])) }
        #expect(error?.code == .invalidArgument)
    }

    @Test(arguments: [
        (Query.UnaryFilter.Operator.isNull, QueryFilter.FieldOperator.equal, Value.null), (.isNotNull, .notEqual, .null),
        (.isNan, .equal, .double(.nan)), (.isNotNan, .notEqual, .double(.nan)),
    ]) func `unary filters are comparisons`(op: Query.UnaryFilter.Operator, expected: QueryFilter.FieldOperator, operand: Value) throws {
        // QR-11
        let filter = try query { $0.where.unaryFilter = .with { $0.op = op; $0.field = field("a.b") } }.filter
        #expect(filter == .field(FieldPathSegments(["a", "b"]), expected, ValueBytes(operand)))
    }

    @Test func `operands are made canonical`() throws {
        // VAL-22, VAL-7
        let filter = try query { query in
            query.where.fieldFilter = .with {
                $0.op = .in
                $0.field = field("a")
                $0.value.arrayValue.values = [.with { $0.timestampValue.nanos = 1_999 }, .with { $0.doubleValue = -.nan }, .with { $0.arrayValue = .init() }]
            }
        }.filter
        let expected = Value.array([.timestamp(TimestampValue(seconds: 0, nanoseconds: 1_000)), .double(.nan), .array([])])
        #expect(filter == .field(FieldPathSegments("a"), .in, ValueBytes(expected)))
    }

    @Test func `filters decode, and malformed ones are rejected`() {
        // QR-15
        refusal { $0.where = .init() }
        refusal { $0.where.compositeFilter = .init() }
        refusal { $0.where.unaryFilter = .with { $0.field = field("a") } }
        refusal { $0.where.unaryFilter = .with { $0.op = .isNull } }
        refusal { $0.where.fieldFilter = .with { $0.op = .equal; $0.field = field("a") } }
        refusal { $0.where.fieldFilter = .with { $0.field = field("a"); $0.value.integerValue = 1 } }
        refusal { $0.where.fieldFilter = .with { $0.op = .equal; $0.value.integerValue = 1 } }
        refusal { $0.where.fieldFilter = .with { $0.op = .equal; $0.field = field("a"); $0.value = .init() } }
        refusal { $0.where.fieldFilter = .with { $0.op = .UNRECOGNIZED(11); $0.field = field("a"); $0.value.integerValue = 1 } }
        #expect(throws: Never.self) { try query { $0.where.compositeFilter = .with { $0.op = .and } } }
    }

    @Test func `filters nest a hundred levels deep and no further`() throws {
        func nested(_ levels: Int) -> Query.Filter {
            var filter = Query.Filter.with { $0.unaryFilter = .with { $0.op = .isNull; $0.field = field("a") } }
            for _ in 0..<levels { filter = .with { $0.compositeFilter = .with { $0.op = .and; $0.filters = [filter] } } }
            return filter
        }
        #expect(throws: Never.self) { try query { $0.where = nested(90) } }
        refusal { $0.where = nested(120) }
    }

    @Test func `orders decode, and malformed ones are rejected`() throws {
        // QR-31
        let orders = try query { $0.orderBy = [.with { $0.field = field("a") }, .with { $0.field = field("__name__"); $0.direction = .descending }] }.orders
        #expect(orders == [SortOrder(path: FieldPathSegments("a")), SortOrder(path: .documentID, direction: .descending)])
        refusal { $0.orderBy = [.init()] }
        refusal { $0.orderBy = [.with { $0.field = field("a"); $0.direction = .UNRECOGNIZED(3) }] }
    }

    @Test func `a limit of zero is a limit, an absent one is not`() throws {
        // QR-40
        #expect(try query { _ in }.limit == nil)
        #expect(try query { $0.limit = 0 }.limit == 0)
        #expect(try query { $0.limit = -1 }.limit == -1)
        #expect(try query { $0.offset = -1 }.offset == -1)
    }

    @Test func `an empty projection is everything`() throws {
        // QR-43
        #expect(try query { $0.select = .init() }.projection == nil)
        #expect(try query { $0.select.fields = [field("__name__")] }.projection == [.documentID])
    }

    @Test func `vector searches decode, and malformed ones are rejected`() throws {
        // QR-55, QR-56
        func search(_ build: @escaping (inout Query.FindNearest) -> Void) -> (inout Query) -> Void {
            { query in
                query.findNearest = .with { search in
                    search.vectorField = self.field("v")
                    search.queryVector.mapValue.fields = [
                        "__type__": .with { $0.stringValue = "__vector__" }, "value": .with { $0.arrayValue.values = [.with { $0.doubleValue = 1 }] },
                    ]
                    search.distanceMeasure = .cosine
                    search.limit = 3
                    build(&search)
                }
            }
        }
        let expected = VectorSearch(field: FieldPathSegments("v"), vector: [1], measure: .cosine, limit: 3)
        #expect(try query(search { _ in }).nearest == expected)
        refusal(search { $0.clearLimit() })
        refusal(search { $0.distanceMeasure = .unspecified })
        refusal(search { $0.queryVector.integerValue = 1 })
        refusal(search { $0.clearQueryVector() })
        refusal(search { $0.clearVectorField() })
    }

    @Test func `aggregations decode, and malformed ones are rejected`() throws {
        func decode(_ build: (inout Google_Firestore_V1_StructuredAggregationQuery.Aggregation) -> Void) throws -> [Aggregation] {
            var message = Google_Firestore_V1_RunAggregationQueryRequest()
            message.parent = Self.root
            message.structuredAggregationQuery.structuredQuery.from = [.with { $0.collectionID = "c" }]
            var aggregation = Google_Firestore_V1_StructuredAggregationQuery.Aggregation()
            build(&aggregation)
            message.structuredAggregationQuery.aggregations = [aggregation]
            return try RunAggregationQueryRequest(decoding: ByteSlice(try message.serializedBytes() as [UInt8])).aggregations
        }
        #expect(try decode { $0.count = .init() } == [Aggregation(.count(upTo: nil))])
        #expect(try decode { $0.count.upTo = 0; $0.alias = "n" } == [Aggregation(.count(upTo: 0), alias: "n")])
        #expect(throws: FirestoreError.self) { try decode { _ in } }
        #expect(throws: FirestoreError.self) { try decode { $0.sum = .init() } }
    }
}
