// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

extension PipelineModel {
    static func number(_ name: String) -> ModelFunction? {
        switch name {
        case "add": arithmetic({ $0.addingReportingOverflow($1) }, { $0 + $1 })
        case "subtract": arithmetic({ $0.subtractingReportingOverflow($1) }, { $0 - $1 })
        case "multiply": arithmetic({ $0.multipliedReportingOverflow(by: $1) }, { $0 * $1 })
        case "divide": arithmetic({ $0.dividedReportingOverflow(by: $1) }, { $0 / $1 })
        case "mod": arithmetic({ $0.remainderReportingOverflow(dividingBy: $1) }, { fmod($0, $1) })
        case "abs":
            .of([.number]) { values in
                switch values[0] {
                case .integer(let integer): integer == .min ? .failed : .value(.integer(abs(integer)))
                case .double(let double): .value(.double(double.magnitude))
                default: .failed
                }
            }
        default: nil
        }
    }

    private static func arithmetic(
        _ integers: @escaping (Int64, Int64) -> (partialValue: Int64, overflow: Bool), _ doubles: @escaping (Double, Double) -> Double
    ) -> ModelFunction {
        .of([.number]) { values in
            if case .integer(let left) = values[0], case .integer(let right) = values[1] {
                let (result, overflow) = integers(left, right)
                return overflow ? .failed : .value(.integer(result))
            }
            return .value(.double(doubles(double(values[0]), double(values[1]))))
        }
    }

    private static func double(_ value: Value) -> Double {
        switch value {
        case .integer(let integer): Double(integer)
        case .double(let double): double
        default: .nan
        }
    }
}

/// The exact sum of numbers, as so many units of the least positive double, in digits of 32 bits.
///
/// Slow and simple: no number is rounded before the end.
struct ModelTotal {
    private(set) var count = 0
    private var hasDoubles = false
    private var special: Double?
    private var positive = [UInt64](repeating: 0, count: 70)
    private var negative = [UInt64](repeating: 0, count: 70)

    mutating func add(_ value: Value) {
        switch value {
        case .integer(let integer):
            add(integer.magnitude, times: 1_074, isNegative: integer < 0)
        case .double(let double):
            hasDoubles = true
            if double.isFinite {
                // The exponents of all finite doubles are at least -1074.
                let unit = max(Int(double.exponentBitPattern), 1) - 1
                let hidden: UInt64 = double.exponentBitPattern == 0 ? 0 : 1 << 52
                add(double.significandBitPattern | hidden, times: unit, isNegative: double < 0)
            } else {
                special = special.map { $0 + double } ?? double
            }
        default: return
        }
        count += 1
    }

    /// Adds `magnitude` times two to the power of `times`.
    private mutating func add(_ magnitude: UInt64, times: Int, isNegative: Bool) {
        for bit in 0..<64 where magnitude >> UInt64(bit) & 1 == 1 {
            let place = times + bit
            if isNegative { Self.add(place, to: &negative) } else { Self.add(place, to: &positive) }
        }
    }

    private static func add(_ place: Int, to digits: inout [UInt64]) {
        var index = place / 32
        digits[index] += 1 << UInt64(place % 32)
        while digits[index] >> 32 != 0 {
            digits[index] &= 0xFFFF_FFFF
            index += 1
            digits[index] += 1
        }
    }

    var sum: Value {
        guard !hasDoubles, special == nil else { return .double(double) }
        let (magnitude, isNegative) = difference
        let whole = Self.bits(of: magnitude).drop { $0 < 1_074 }.map { $0 - 1_074 }
        guard whole.allSatisfy({ $0 < 64 }) else { return .double(double) }
        let number = whole.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
        let integer = isNegative ? (number == Int64.min.magnitude ? Int64.min : Int64(exactly: number).map { -$0 }) : Int64(exactly: number)
        return integer.map { .integer($0) } ?? .double(double)
    }

    var average: Value { count == 0 ? .null : .double(double / Double(count)) }

    private var difference: (digits: [UInt64], isNegative: Bool) {
        let isNegative = positive.reversed().lexicographicallyPrecedes(negative.reversed())
        let (larger, smaller) = isNegative ? (negative, positive) : (positive, negative)
        var result = larger
        for index in result.indices {
            if result[index] < smaller[index] {
                result[index] += 1 << 32
                var next = index + 1
                while result[next] == 0 {
                    result[next] = 0xFFFF_FFFF
                    next += 1
                }
                result[next] -= 1
            }
            result[index] -= smaller[index]
        }
        return (result, isNegative)
    }

    /// The places of the bits that are set, lowest first.
    private static func bits(of digits: [UInt64]) -> [Int] {
        (0..<(digits.count * 32)).filter { digits[$0 / 32] >> UInt64($0 % 32) & 1 == 1 }
    }

    /// Rounded once, to the nearest double, and to the even one of two.
    private var double: Double {
        if let special { return special }
        let (digits, isNegative) = difference
        let bits = Self.bits(of: digits)
        guard let highest = bits.last else { return 0 }
        let lowest = max(highest - 52, 0)
        var significand = bits.filter { $0 >= lowest }.reduce(UInt64(0)) { $0 | 1 << UInt64($1 - lowest) }
        let rest = bits.filter { $0 < lowest }
        if rest.last == lowest - 1, rest.count > 1 || significand & 1 == 1 { significand += 1 }
        let magnitude = Double(sign: .plus, exponent: lowest - 1_074, significand: Double(significand))
        return isNegative ? -magnitude : magnitude
    }
}
