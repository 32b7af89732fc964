// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@Suite struct EffectiveOrdersTests {
    static func orders(_ filter: QueryFilter?, _ explicit: [(String, SortOrder.Direction)] = []) -> [String] {
        StructuredQuery(
            scope: .collection(CollectionPath(trusted: "c")), filter: filter,
            orders: explicit.map { SortOrder(path: FieldPathSegments([$0.0]), direction: $0.1) }
        ).effectiveOrders.map { ($0.direction == .ascending ? "" : "-") + $0.path.canonical }
    }

    static func filter(_ name: String, _ op: QueryFilter.FieldOperator) -> QueryFilter {
        .field(FieldPathSegments(name), op, ValueBytes(.null))
    }

    @Test func `inequality fields follow the explicit orders, sorted, then the document id`() {  // QR-28
        let filter = QueryFilter.and([
            Self.filter("z", .greaterThan), Self.filter("b", .notEqual), .or([Self.filter("a", .notIn), Self.filter("b", .lessThan)]),
        ])
        #expect(Self.orders(nil) == ["__name__"])
        #expect(Self.orders(filter) == ["a", "b", "z", "__name__"])
        #expect(Self.orders(filter, [("z", .ascending), ("q", .descending)]) == ["z", "-q", "-a", "-b", "-__name__"])
        #expect(Self.orders(nil, [("__name__", .descending)]) == ["-__name__"])
    }

    @Test func `equalities and array operators bring no order along`() {  // QR-29
        for op in [QueryFilter.FieldOperator.equal, .in, .arrayContains, .arrayContainsAny] {
            #expect(Self.orders(Self.filter("a", op)) == ["__name__"])
        }
    }

    @Test func `an inequality on the document id adds it only once`() {
        #expect(Self.orders(Self.filter("__name__", .greaterThan)) == ["__name__"])
    }
}
