// SPDX-License-Identifier: Apache-2.0

/// A sum of 64-bit integers that cannot overflow: 128 bits, two's complement.
///
/// (The standard library's `Int128` is not available on older Apple systems.)
struct WideInteger: Equatable {
    private(set) var high: Int64 = 0
    private(set) var low: UInt64 = 0

    mutating func add(_ value: Int64) {
        let (sum, carry) = low.addingReportingOverflow(UInt64(bitPattern: value))
        low = sum
        high &+= (value < 0 ? -1 : 0) + (carry ? 1 : 0)
    }

    /// The sum, if it fits into 64 bits.
    var exact: Int64? {
        let value = Int64(bitPattern: low)
        return high == value >> 63 ? value : nil
    }

    var isNegative: Bool { high < 0 }

    /// The absolute value, as upper and lower half.
    var magnitude: (high: UInt64, low: UInt64) {
        guard isNegative else { return (UInt64(high), low) }
        let (negated, carry) = (~low).addingReportingOverflow(1)
        return (~UInt64(bitPattern: high) &+ (carry ? 1 : 0), negated)
    }
}
