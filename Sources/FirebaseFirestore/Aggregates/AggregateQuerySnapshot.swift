import FirestoreCore
public import Foundation

/// The numbers an `AggregateQuery` came to.
///
/// `@unchecked Sendable`: every stored property is an immutable value.
public final class AggregateQuerySnapshot: NSObject, @unchecked Sendable {
    /// What was asked.
    public let query: AggregateQuery
    private let fields: [AggregateField]
    private let values: [Value]

    init(query: AggregateQuery, values: [Value]) {
        self.query = query
        fields = query.distinctFields
        self.values = values
        super.init()
    }

    /// The number of documents; 0 if the count was not asked for.
    public var count: NSNumber { self.get(.count()) as? NSNumber ?? 0 }

    /// One number: an `NSNumber`, or `NSNull` for the average of nothing and for a number that was not asked for.
    public func get(_ aggregateField: AggregateField) -> Any {
        guard let position = fields.firstIndex(of: aggregateField), position < values.count else { return NSNull() }
        switch values[position] {
        case .integer(let number): return NSNumber(value: number)
        case .double(let number): return NSNumber(value: number)
        default: return NSNull()
        }
    }

    /// Equal when the question and all numbers are.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AggregateQuerySnapshot else { return false }
        return query == other.query && values.elementsEqual(other.values) { ValueBytes($0) == ValueBytes($1) }
    }

    /// Goes by the question.
    public override var hash: Int { query.hash }

    /// The numbers.
    public override var description: String {
        "<AggregateQuerySnapshot: " + fields.map { "\($0) = \(get($0))" }.joined(separator: ", ") + ">"
    }
}
