// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// increment, maximum and minimum (WR-33, WR-34). A stored value that is not a number is treated as missing.
package enum NumberTransforms {
    package static func isNumber(_ value: Value) -> Bool {
        switch value {
        case .integer, .double: true
        default: false
        }
    }

    /// Integers saturate; with a double the sum is a double.
    package static func sum(_ stored: ValueView?, _ operand: Value) -> Value {
        switch (number(stored), operand) {
        case (.integer(let stored)?, .integer(let operand)):
            let (sum, overflow) = stored.addingReportingOverflow(operand)
            return .integer(overflow ? (operand < 0 ? .min : .max) : sum)
        case (.integer(let stored)?, .double(let operand)): return .double(Double(stored) + operand)
        case (.double(let stored)?, .integer(let operand)): return .double(stored + Double(operand))
        case (.double(let stored)?, .double(let operand)): return .double(stored + operand)
        default: return operand
        }
    }

    /// The larger (`sign` 1) or smaller (−1) one, with its own type; the stored one if they are equal; NaN takes
    /// precedence.
    package static func extreme(_ stored: ValueView?, _ operand: Value, sign: Int) -> Value {
        guard let stored, let current = number(stored) else { return operand }
        if isNaN(current) || isNaN(operand) { return .double(.nan) }
        let encoded = ValueBytes(operand)
        defer { withExtendedLifetime(encoded) {} }
        return ValueOrdering.compare(encoded.view, stored) * sign > 0 ? operand : current
    }

    private static func number(_ stored: ValueView?) -> Value? {
        if let integer = stored?.integer { return .integer(integer) }
        if let double = stored?.double { return .double(double) }
        return nil
    }

    private static func isNaN(_ value: Value) -> Bool {
        guard case .double(let double) = value else { return false }
        return double.isNaN
    }
}
