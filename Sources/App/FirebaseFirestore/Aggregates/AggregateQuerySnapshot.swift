// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// The result of an `AggregateQuery`.
public final class AggregateQuerySnapshot: NSObject, Sendable {
    /// The aggregation this is the result of.
    public let query: AggregateQuery
    /// Whether the values were computed from the cache, so that those of the server may differ. Always false with the embedded
    /// database.
    ///
    /// Beyond the Apple SDK.
    public let isFromCache: Bool
    private let fields: [AggregateField]
    private let values: [Value]

    init(query: AggregateQuery, values: [Value], isFromCache: Bool = false) {
        self.query = query
        self.isFromCache = isFromCache
        fields = query.distinctFields
        self.values = values
        super.init()
    }

    /// The number of documents; 0 if the aggregation does not include the count.
    public var count: NSNumber { self.get(.count()) as? NSNumber ?? 0 }

    /// The value of one aggregate.
    ///
    /// An `NSNumber`, or `NSNull` for the average of no numbers and for an aggregate that the aggregation does not
    /// include.
    public func get(_ aggregateField: AggregateField) -> Any {
        guard let position = fields.firstIndex(of: aggregateField), position < values.count else { return NSNull() }
        switch values[position] {
        case .integer(let number): return NSNumber(value: number)
        case .double(let number): return NSNumber(value: number)
        default: return NSNull()
        }
    }

    /// Equal when the aggregation and all values are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AggregateQuerySnapshot else { return false }
        return query == other.query && values.elementsEqual(other.values) { ValueBytes($0) == ValueBytes($1) }
    }

    /// Hashes the aggregation.
    public override var hash: Int { query.hash }

    /// All values.
    public override var description: String {
        "<AggregateQuerySnapshot: " + fields.map { "\($0) = \(get($0))" }.joined(separator: ", ") + ">"
    }
}
