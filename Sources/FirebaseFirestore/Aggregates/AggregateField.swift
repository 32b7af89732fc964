package import FirestoreCore
public import Foundation

/// A number to be computed over the result of a query, on the side of the database.
///
/// A malformed field path makes every aggregation it is used in fail with `invalidArgument`. Two fields are equal when
/// they ask for the same number.
public final class AggregateField: NSObject, Sendable {
    package let kind: Result<Aggregation.Kind, FirestoreError>

    private init(_ kind: Result<Aggregation.Kind, FirestoreError>) {
        self.kind = kind
        super.init()
    }

    /// The number of documents.
    public class func count() -> AggregateField { AggregateField(.success(.count(upTo: nil))) }

    /// The sum of the numbers in a field, named in dotted notation.
    ///
    /// Documents without the field are left out, of the other numbers of the same aggregation too; values that are no
    /// numbers are skipped. 0 when nothing is left.
    public class func sum(_ field: String) -> AggregateField { sum(FieldPath(dotted: field)) }

    /// The sum of the numbers in a field.
    ///
    /// Documents without the field are left out, of the other numbers of the same aggregation too; values that are no
    /// numbers are skipped. 0 when nothing is left.
    public class func sum(_ fieldPath: FieldPath) -> AggregateField {
        AggregateField(fieldPath.segments.map { .sum($0) })
    }

    /// The mean of the numbers in a field, named in dotted notation; `NSNull` when there are none.
    ///
    /// Documents without the field are left out, of the other numbers of the same aggregation too; values that are no
    /// numbers are skipped.
    public class func average(_ field: String) -> AggregateField { average(FieldPath(dotted: field)) }

    /// The mean of the numbers in a field; `NSNull` when there are none.
    ///
    /// Documents without the field are left out, of the other numbers of the same aggregation too; values that are no
    /// numbers are skipped.
    public class func average(_ fieldPath: FieldPath) -> AggregateField {
        AggregateField(fieldPath.segments.map { .average($0) })
    }

    /// Equal when both ask for the same number.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AggregateField else { return false }
        switch (kind, other.kind) {
        case (.success(let left), .success(let right)): return left == right
        case (.failure, .failure): return self === other
        default: return false
        }
    }

    /// Goes by the number asked for.
    public override var hash: Int { (try? kind.get())?.hashValue ?? 0 }

    /// The number asked for.
    public override var description: String {
        switch kind {
        case .success(.count): "count"
        case .success(.sum(let path)): "sum of \(path.canonical)"
        case .success(.average(let path)): "average of \(path.canonical)"
        case .failure(let error): "invalid aggregate: \(error)"
        }
    }
}
