// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
public import Foundation

/// An operation on a field, which the database performs when it commits the write.
///
/// ```swift
/// try await city.updateData(["population": FieldValue.increment(Int64(50)), "visited": FieldValue.serverTimestamp()])
/// ```
/// It is allowed as the value of a field in a write. In arrays and queries it fails with `invalidArgument`.
public final class FieldValue: NSObject, Sendable {
    /// The kind of operation.
    package enum Operation: Sendable {
        case delete
        case transform(FieldTransform.Kind)
        /// Made from elements that cannot be stored; a write that uses it fails with this error.
        case invalid(InvalidElements)
    }

    package let operation: Operation
    /// The name of the factory, for messages.
    package let name: String

    init(_ operation: Operation, name: String) {
        self.operation = operation
        self.name = name
        super.init()
    }

    private static let deletion = FieldValue(.delete, name: "delete")
    private static let commitTime = FieldValue(.transform(.serverTimestamp), name: "serverTimestamp")

    /// Removes the field. Allowed in `updateData`, and in `setData` with `merge` or `mergeFields`.
    public class func delete() -> FieldValue { deletion }

    /// Sets the field to the time of the commit.
    public class func serverTimestamp() -> FieldValue { commitTime }

    /// Appends the elements that an array does not contain yet.
    ///
    /// A stored value that is not an array is replaced.
    public class func arrayUnion(_ elements: [Any]) -> FieldValue {
        FieldValue(elements: elements, name: "arrayUnion") { .appendMissingElements($0) }
    }

    /// Removes all elements equal to one of the given ones from an array.
    ///
    /// A stored value that is not an array is replaced by an empty one.
    public class func arrayRemove(_ elements: [Any]) -> FieldValue {
        FieldValue(elements: elements, name: "arrayRemove") { .removeAllFromArray($0) }
    }

    /// Adds to a number. A stored value that is not a number is replaced.
    public class func increment(_ d: Double) -> FieldValue {
        FieldValue(.transform(.increment(.double(d))), name: "increment")
    }

    /// Adds to a number and saturates at the limits of 64 bits. A stored value that is not a number is replaced.
    public class func increment(_ l: Int64) -> FieldValue {
        FieldValue(.transform(.increment(.integer(l))), name: "increment")
    }

    /// Stores the smaller of the stored number and this one. A stored value that is not a number is replaced.
    public class func minimum(_ d: Double) -> FieldValue {
        FieldValue(.transform(.minimum(.double(d))), name: "minimum")
    }

    /// Stores the smaller of the stored number and this one. A stored value that is not a number is replaced.
    public class func minimum(_ l: Int64) -> FieldValue {
        FieldValue(.transform(.minimum(.integer(l))), name: "minimum")
    }

    /// Stores the larger of the stored number and this one. A stored value that is not a number is replaced.
    public class func maximum(_ d: Double) -> FieldValue {
        FieldValue(.transform(.maximum(.double(d))), name: "maximum")
    }

    /// Stores the larger of the stored number and this one. A stored value that is not a number is replaced.
    public class func maximum(_ l: Int64) -> FieldValue {
        FieldValue(.transform(.maximum(.integer(l))), name: "maximum")
    }

    /// A vector with these components.
    public static func vector(_ array: [Double]) -> VectorValue { VectorValue(array) }

    /// A vector with these components.
    public static func vector(_ array: [Float]) -> VectorValue { VectorValue(array.map { Double($0) }) }

    /// The name of the factory that made it.
    public override var description: String { "<FieldValue: \(name)>" }
}
