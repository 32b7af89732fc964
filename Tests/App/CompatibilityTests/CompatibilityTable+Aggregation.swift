// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

private let n = FieldPath(["n"])

extension CompatibilityTable {
    /// api.md 9.
    static func aggregation() -> CompatibilitySection {
        var section = CompatibilitySection("9", "Aggregation")
        section.row(.full, "AggregateField.count() -> Self (class func)") { here in
            let field: AggregateField = AggregateField.count()
            return try await here.letters.aggregate([field]).getAggregation(source: .server).get(field) as? Int == 3
        }
        section.row(.full, "AggregateField.sum(_ field: String) -> Self (class func)", "AggregateField.sum(_ fieldPath: FieldPath) -> Self (class func)") { here in
            let (field, other): (AggregateField, AggregateField) = (.sum("n"), .sum(n))
            let snapshot = try await here.letters.aggregate([field]).getAggregation(source: .server)
            return snapshot.get(field) as? Int == 6 && snapshot.get(other) as? Double == 6
        }
        section.row(.full, "AggregateField.average(_ field: String) -> Self (class func)", "AggregateField.average(_ fieldPath: FieldPath) -> Self (class func)") { here in
            let (field, other): (AggregateField, AggregateField) = (.average("n"), .average(n))
            let snapshot = try await here.letters.aggregate([field]).getAggregation(source: .server)
            let empty = try await here.freshCollection().aggregate([field]).getAggregation(source: .server)
            return snapshot.get(other) as? Double == 2 && empty.get(field) is NSNull
        }
        section.row(.full, "AggregateQuery.query: Query { get }") { here in
            let query: Query = here.letters.limit(to: 1).count.query
            return query == here.letters.limit(to: 1)
        }
        section.row(
            .full,
            "AggregateQuery.getAggregation(source: AggregateSource, completion: @escaping (AggregateQuerySnapshot?, Error?) -> Void)",
            "AggregateQuery.getAggregation(source: AggregateSource) async throws -> AggregateQuerySnapshot",
            differs: "embedded, runs in the process; `.cache` is possible, too"
        ) { here in
            let query = here.letters.count
            let snapshot: AggregateQuerySnapshot = try await query.getAggregation(source: .server)
            let again: AggregateQuerySnapshot? = await completion { done in query.getAggregation(source: .server) { snapshot, _ in done(snapshot) } }
            let numbers: [AggregateField] = [.count(), .sum("n"), .average("n"), .sum("tags"), .average("tags"), .sum("k")]
            let five = try await here.letters.aggregate(Array(numbers.prefix(5))).getAggregation(source: .server)
            let six = await failure { try await here.letters.aggregate(numbers).getAggregation(source: .server) }
            let isBounded = Mode.can(.manyAggregations) ? isFailure(six, .invalidArgument) : six != nil
            return snapshot.count == 3 && again == snapshot && five.get(numbers[1]) as? Int == 6 && isBounded
        }
        section.row(.full, "AggregateQuerySnapshot.query: AggregateQuery { get }") { here in
            let query: AggregateQuery = try await here.letters.count.getAggregation(source: .server).query
            return query == here.letters.count
        }
        section.row(.full, "AggregateQuerySnapshot.count: NSNumber { get }") { here in
            let count: NSNumber = try await here.letters.whereField("n", isGreaterThan: 1).count.getAggregation(source: .server).count
            return count.intValue == 2
        }
        section.row(.full, "AggregateQuerySnapshot.get(_ aggregateField: AggregateField) -> Any") { here in
            let value: Any = try await here.letters.aggregate([.sum("n")]).getAggregation(source: .server).get(.sum("n"))
            return value as? Double == 6 && value as? Int64 == 6
        }
        section.row(.full, "enum AggregateSource : UInt { case server = 0 }", differs: "also has `cache`, so a `switch` needs a `default`") { _ in
            AggregateSource.server.rawValue == 0 as UInt
        }
        return section
    }
}
