// SPDX-License-Identifier: Apache-2.0
package import Foundation

extension NSNumber {
    /// The kind of value that a number object was made from.
    package enum Content {
        case boolean(Bool)
        case integer(Int64)
        /// Above `Int64.max`.
        case unsigned(UInt64)
        case double(Double)
    }

    private static let yes = NSNumber(value: true)
    private static let no = NSNumber(value: false)

    /// The value that the object was made from; a decimal is treated as a double.
    package var content: Content {
        if type(of: self) != NSNumber.self, let number = self as? NSDecimalNumber { return .double(number.decimalValue.nearestDouble) }
        // The type code does not distinguish them: `Int8(42)` has the "c" of a boolean in corelibs Foundation as well
        // (R108). A process has two boolean objects, and equality would mistake 1 for one of them.
        if self === NSNumber.yes { return .boolean(true) }
        if self === NSNumber.no { return .boolean(false) }
        switch UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return .double(doubleValue)
        case UInt8(ascii: "Q"), UInt8(ascii: "L"):
            return Int64(exactly: uint64Value).map { .integer($0) } ?? .unsigned(uint64Value)
        default: return .integer(int64Value)
        }
    }
}
