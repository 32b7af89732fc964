// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The numbers of one field, and their `sum` and `average` (QR-65, QR-66).
package struct NumberTotal {
    private var count = 0
    private var integers = WideInteger()
    /// Not nil once a double was added.
    private var doubles: ExactSum?
    /// The sum of the values that are not finite; nil if there are none.
    private var nonFinite: Double?

    package init() {}

    /// Values that are not numbers are skipped.
    package mutating func add(_ value: ValueView) {
        if let integer = value.integer { add(integer) } else if let double = value.double { add(double) }
    }

    mutating func add(_ integer: Int64) {
        integers.add(integer)
        count += 1
    }

    mutating func add(_ double: Double) {
        if doubles == nil { doubles = ExactSum() }
        if double.isFinite {
            doubles?.add(double)
        } else {
            // Infinity plus minus infinity is NaN, and NaN remains.
            nonFinite = nonFinite.map { $0 + double } ?? double
        }
        count += 1
    }

    /// An integer if all numbers are integers and the exact total fits, otherwise a double; integer 0 without numbers.
    package var sum: Value {
        if doubles == nil, let exact = integers.exact { return .integer(exact) }
        return .double(total)
    }

    /// A double, or null without numbers.
    package var average: Value { count == 0 ? .null : .double(total / Double(count)) }

    private var total: Double {
        if let nonFinite { return nonFinite }
        var sum = doubles ?? ExactSum()
        sum.add(integers)
        return sum.rounded
    }
}
