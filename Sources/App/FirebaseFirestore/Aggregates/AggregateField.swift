// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
public import Foundation

/// An aggregate over the result of a query, computed by the database.
///
/// A malformed field path makes every aggregation that uses it fail with `invalidArgument`. Two fields are equal when
/// they describe the same aggregate.
public final class AggregateField: NSObject, Sendable {
    package let kind: Result<Aggregation.Kind, FirestoreError>

    private init(_ kind: Result<Aggregation.Kind, FirestoreError>) {
        self.kind = kind
        super.init()
    }

    /// The number of documents.
    public class func count() -> AggregateField { AggregateField(.success(.count(upTo: nil))) }

    /// The sum of the numbers in a field, given in dotted notation.
    ///
    /// Documents without the field are left out, also of the other aggregates of the same query. Values that are not
    /// numbers are skipped. The sum is 0 when no number remains.
    public class func sum(_ field: String) -> AggregateField { sum(FieldPath(dotted: field)) }

    /// The sum of the numbers in a field.
    ///
    /// Documents without the field are left out, also of the other aggregates of the same query. Values that are not
    /// numbers are skipped. The sum is 0 when no number remains.
    public class func sum(_ fieldPath: FieldPath) -> AggregateField {
        AggregateField(fieldPath.segments.map { .sum($0) })
    }

    /// The mean of the numbers in a field, given in dotted notation.
    ///
    /// Documents without the field are left out, also of the other aggregates of the same query. Values that are not
    /// numbers are skipped. The mean is `NSNull` when no number remains.
    public class func average(_ field: String) -> AggregateField { average(FieldPath(dotted: field)) }

    /// The mean of the numbers in a field.
    ///
    /// Documents without the field are left out, also of the other aggregates of the same query. Values that are not
    /// numbers are skipped. The mean is `NSNull` when no number remains.
    public class func average(_ fieldPath: FieldPath) -> AggregateField {
        AggregateField(fieldPath.segments.map { .average($0) })
    }

    /// Equal when both describe the same aggregate.
    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AggregateField else { return false }
        return self === other || kind.hasValue(of: other.kind)
    }

    /// Hashes the aggregate.
    public override var hash: Int { (try? kind.get())?.hashValue ?? 0 }

    /// The aggregate, readable.
    public override var description: String {
        switch kind {
        case .success(.count): "count"
        case .success(.sum(let path)): "sum of \(path.canonical)"
        case .success(.average(let path)): "average of \(path.canonical)"
        case .failure(let error): "invalid aggregate: \(error)"
        }
    }
}
