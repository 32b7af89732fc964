// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

extension CompatibilityTable {
    /// api.md 13.4.
    static func liveQueries() -> CompatibilitySection {
        var section = CompatibilitySection("13.4", "FirestoreQuery and QueryPredicate")
        section.row(
            .full,
            "@propertyWrapper struct FirestoreQuery<T> : DynamicProperty",
            differs: "based on Observation instead of SwiftUI: reads inside `withObservationTracking` are notified of changes; no `DynamicProperty`"
        ) { here in
            await here.live([.order(by: "n")]) == "abc"
        }
        section.row(
            .full,
            "init<U: Decodable>(collectionPath: String, predicates: [QueryPredicate] = [], decodingFailureStrategy: DecodingFailureStrategy = .raise, animation: Animation? = nil) where T == [U]",
            "init<U: Decodable>(collectionPath: String, predicates: [QueryPredicate] = [], decodingFailureStrategy: DecodingFailureStrategy = .raise, animation: Animation? = nil) "
                + "where T == Result<[U], Error>",
            differs: "no `animation`; `in:` names a database other than the default one"
        ) { here in
            let (array, result) = await here.liveShapes()
            return array == "abc" && result == "abc"
        }
        section.row(.full, "@MainActor @preconcurrency var wrappedValue: T { get }") { here in
            await here.live([]) == "abc"
        }
        section.row(.full, "@MainActor @preconcurrency var projectedValue: Configuration { get nonmutating set }") { here in
            await here.liveAfterChange()
        }
        section.row(
            .full,
            "struct FirestoreQuery.Configuration { var path: String; var predicates: [QueryPredicate]; var decodingFailureStrategy: DecodingFailureStrategy; var error: Error?; var animation: Animation? }",
            differs: "no `animation`"
        ) { here in
            await here.liveConfigurationHolds()
        }
        section.row(.full, "enum DecodingFailureStrategy { case ignore, raise }") { here in
            await here.liveStrategiesHold()
        }
        section.row(
            .full,
            "enum QueryPredicate cases: isEqualTo(_ field: String, _ value: Any), isIn(_:_: [Any]), isNotIn(_:_: [Any]), arrayContains(_:_: Any), arrayContainsAny(_:_: [Any]), isLessThan, "
                + "isGreaterThan, isLessThanOrEqualTo, isGreaterThanOrEqualTo (all (_ field: String, _ value: Any)), orderBy(_ field: String, _ value: Bool), limitTo(_ value: Int), "
                + "limitToLast(_ value: Int)"
        ) { here in
            let answers = [
                await here.live([.isEqualTo("n", 2)]), await here.live([.isIn("n", [1, 3])]), await here.live([.isNotIn("n", [1, 3])]), await here.live([.arrayContains("tags", "y")]),
                await here.live([.arrayContainsAny("tags", ["x", "z"])]), await here.live([.isLessThan("n", 2)]), await here.live([.isGreaterThan("n", 2)]),
                await here.live([.isLessThanOrEqualTo("n", 2)]), await here.live([.isGreaterThanOrEqualTo("n", 2)]), await here.live([.orderBy("n", true)]),
                await here.live([.limitTo(1)]), await here.live([.orderBy("n", false), .limitToLast(1)]),
            ]
            return answers == ["b", "ac", "b", "ab", "ac", "a", "c", "ab", "bc", "cba", "a", "c"]
        }
        section.row(
            .full,
            "static func whereField(_ field: String, isEqualTo value: Any) -> QueryPredicate",
            "static func whereField(_ field: String, isIn values: [Any]) -> QueryPredicate",
            "static func whereField(_ field: String, isNotIn values: [Any]) -> QueryPredicate",
            "static func whereField(_ field: String, arrayContains value: Any) -> QueryPredicate",
            "static func whereField(_ field: String, arrayContainsAny values: [Any]) -> QueryPredicate",
            "static func whereField(_ field: String, isLessThan value: Any) -> QueryPredicate",
            "static func whereField(_ field: String, isGreaterThan value: Any) -> QueryPredicate",
            "static func whereField(_ field: String, isLessThanOrEqualTo value: Any) -> QueryPredicate",
            "static func whereField(_ field: String, isGreaterThanOrEqualTo value: Any) -> QueryPredicate"
        ) { here in
            let answers = [
                await here.live([.whereField("n", isEqualTo: 2)]), await here.live([.whereField("n", isIn: [1, 3])]), await here.live([.whereField("n", isNotIn: [1, 3])]),
                await here.live([.whereField("tags", arrayContains: "y")]), await here.live([.whereField("tags", arrayContainsAny: ["x", "z"])]),
                await here.live([.whereField("n", isLessThan: 2)]), await here.live([.whereField("n", isGreaterThan: 2)]),
                await here.live([.whereField("n", isLessThanOrEqualTo: 2)]), await here.live([.whereField("n", isGreaterThanOrEqualTo: 2)]),
            ]
            return answers == ["b", "ac", "b", "ab", "ac", "a", "c", "ab", "bc"]
        }
        section.row(
            .full,
            "static func `where`(_ name: String, isEqualTo value: Any) -> QueryPredicate",
            "static func `where`(_ name: String, isIn values: [Any]) -> QueryPredicate",
            "static func `where`(_ name: String, isNotIn values: [Any]) -> QueryPredicate",
            "static func `where`(field name: String, arrayContains value: Any) -> QueryPredicate",
            "static func `where`(_ name: String, arrayContainsAny values: [Any]) -> QueryPredicate",
            "static func `where`(_ name: String, isLessThan value: Any) -> QueryPredicate",
            "static func `where`(_ name: String, isGreaterThan value: Any) -> QueryPredicate",
            "static func `where`(_ name: String, isLessThanOrEqualTo value: Any) -> QueryPredicate",
            "static func `where`(_ name: String, isGreaterThanOrEqualTo value: Any) -> QueryPredicate"
        ) { here in
            let answers = [
                await here.live([.where("n", isEqualTo: 2)]), await here.live([.where("n", isIn: [1, 3])]), await here.live([.where("n", isNotIn: [1, 3])]),
                await here.live([.where(field: "tags", arrayContains: "y")]), await here.live([.where("tags", arrayContainsAny: ["x", "z"])]),
                await here.live([.where("n", isLessThan: 2)]), await here.live([.where("n", isGreaterThan: 2)]),
                await here.live([.where("n", isLessThanOrEqualTo: 2)]), await here.live([.where("n", isGreaterThanOrEqualTo: 2)]),
            ]
            return answers == ["b", "ac", "b", "ab", "ac", "a", "c", "ab", "bc"]
        }
        section.row(.full, "static func order(by field: String, descending value: Bool = false) -> QueryPredicate") { here in
            let (ascending, descending) = (await here.live([.order(by: "n")]), await here.live([.order(by: "n", descending: true)]))
            return ascending == "abc" && descending == "cba"
        }
        section.row(.full, "static func limit(to value: Int) -> QueryPredicate", "static func limit(toLast value: Int) -> QueryPredicate") { here in
            let (first, last) = (await here.live([.limit(to: 2)]), await here.live([.order(by: "n"), .limit(toLast: 2)]))
            return first == "ab" && last == "bc"
        }
        return section
    }
}
