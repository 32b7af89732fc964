// SPDX-License-Identifier: Apache-2.0

/// Numbers compare by their exact mathematical value (VAL-5 … VAL-7).
extension ValueOrdering {
    static func compareNumbers(_ left: ValueView, _ right: ValueView) -> Int {
        switch (number(left), number(right)) {
        case (.integer(let left), .integer(let right)): left < right ? -1 : (left == right ? 0 : 1)
        case (.double(let left), .double(let right)): compareDoubles(left, right)
        case (.integer(let left), .double(let right)): compare(left, right)
        case (.double(let left), .integer(let right)): -compare(right, left)
        case (.unreadable, .unreadable): 0
        case (.unreadable, _): -1
        case (_, .unreadable): 1
        }
    }

    private enum Number {
        case integer(Int64)
        case double(Double)
        case unreadable
    }

    private static func number(_ view: ValueView) -> Number {
        if let integer = view.integer { return .integer(integer) }
        if let double = view.double { return .double(double) }
        return .unreadable
    }

    /// NaN is the lowest number and equals itself; the zeros are equal.
    package static func compareDoubles(_ left: Double, _ right: Double) -> Int {
        if left < right { return -1 }
        if left > right { return 1 }
        if left == right { return 0 }
        return (left.isNaN ? 0 : 1) - (right.isNaN ? 0 : 1)
    }

    /// Compares an integer and a double without rounding the integer: 9007199254740993 > 9007199254740992.0.
    package static func compare(_ integer: Int64, _ double: Double) -> Int {
        if double.isNaN { return 1 }
        if double < -0x1p63 { return 1 }
        if double >= 0x1p63 { return -1 }
        let whole = Int64(double)
        if integer != whole { return integer < whole ? -1 : 1 }
        let fraction = double - Double(whole)
        return fraction > 0 ? -1 : (fraction < 0 ? 1 : 0)
    }
}
