// SPDX-License-Identifier: Apache-2.0
public import FirebaseFirestore
public import Foundation

/// A type whose stored values have an order that follows from the type: what `<`, `order(by:)` and cursors accept.
///
/// Conform a type of your own if it is stored as one value, such as a string, and the order of those is what you mean. A raw-value
/// enum sorts by its raw values, which for strings is alphabetical; conforming says that this is intended.
/// `UUID` and `URL` sort as their stored text.
///
/// Beyond the Apple SDK.
public protocol FirestoreOrderable {}

extension Int: FirestoreOrderable {}
extension Int8: FirestoreOrderable {}
extension Int16: FirestoreOrderable {}
extension Int32: FirestoreOrderable {}
extension Int64: FirestoreOrderable {}
extension UInt: FirestoreOrderable {}
extension UInt8: FirestoreOrderable {}
extension UInt16: FirestoreOrderable {}
extension UInt32: FirestoreOrderable {}
extension UInt64: FirestoreOrderable {}
extension Double: FirestoreOrderable {}
extension Float: FirestoreOrderable {}
extension Decimal: FirestoreOrderable {}
extension String: FirestoreOrderable {}
extension Bool: FirestoreOrderable {}
extension Date: FirestoreOrderable {}
extension Data: FirestoreOrderable {}
extension URL: FirestoreOrderable {}
extension UUID: FirestoreOrderable {}
extension Timestamp: FirestoreOrderable {}
extension GeoPoint: FirestoreOrderable {}
extension DocumentReference: FirestoreOrderable {}

/// A number that fields can be incremented by and summed up as.
///
/// Beyond the Apple SDK.
public protocol FirestoreNumber: Encodable {
    /// The type of a sum: `Int` for integers, `Double` for the others.
    associatedtype Sum: FirestoreSum
}

extension Int: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension Int8: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension Int16: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension Int32: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension Int64: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension UInt: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension UInt8: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension UInt16: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension UInt32: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension UInt64: FirestoreNumber {
    /// The sum of integers is an integer.
    public typealias Sum = Int
}
extension Double: FirestoreNumber {
    /// The sum of doubles is a double.
    public typealias Sum = Double
}
extension Float: FirestoreNumber {
    /// The sum of doubles is a double.
    public typealias Sum = Double
}

/// The type in which the database computes a sum: `Int` or `Double`.
///
/// Beyond the Apple SDK.
public protocol FirestoreSum: Sendable {
    /// The sum as this type; nil if it cannot represent the number.
    static func exactly(sum: NSNumber) -> Self?
}

extension Int: FirestoreSum {
    /// nil for a sum with a fraction, and for one beyond the range of `Int`, which the database computes as a double.
    public static func exactly(sum: NSNumber) -> Int? {
        switch sum.content {
        case .integer(let number): Int(exactly: number)
        case .unsigned(let number): Int(exactly: number)
        case .double(let number): Int(exactly: number)
        case .boolean: nil
        }
    }
}

extension Double: FirestoreSum {
    /// The sum, rounded if it is an integer beyond 2^53.
    public static func exactly(sum: NSNumber) -> Double? { sum.doubleValue }
}

/// A collection that is stored as an array: what `contains`, unions and removals accept.
///
/// Beyond the Apple SDK.
public protocol FirestoreArray {
    /// The type of the elements.
    associatedtype Element
}

extension Array: FirestoreArray {}
extension ContiguousArray: FirestoreArray {}
extension ArraySlice: FirestoreArray {}
extension Set: FirestoreArray {}
