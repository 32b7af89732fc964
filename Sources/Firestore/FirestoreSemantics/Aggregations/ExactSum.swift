// SPDX-License-Identifier: Apache-2.0

/// A sum of finite doubles without rounding: a fixed-point number with the range of all doubles.
///
/// The sum of doubles added one after the other depends on their order, and the order of the documents depends on the
/// plan. Here only the total is rounded, once, so every plan gives the same result (QR-65).
struct ExactSum {
    private static let bitsPerLimb = 32
    /// The position of 2⁰, in units of the lowest bit, 2⁻¹⁰⁷⁴.
    private static let unitPosition = 1_074
    private static let limbCount = 72
    /// The number of 32-bit additions to a limb after which its carry must be propagated.
    private static let additionsPerCarry = 1 << 29

    /// 32 bits of the number each, lowest first, with room for carries and signs in the upper half.
    private var limbs = [Int64](repeating: 0, count: limbCount)
    private var additions = 0

    /// `double` must be finite.
    mutating func add(_ double: Double) {
        guard double != 0 else { return }
        // Subnormal numbers have the exponent of the smallest normal ones and no leading bit.
        let exponent = Swift.max(Int(double.exponentBitPattern), 1)
        let leading: UInt64 = double.exponentBitPattern == 0 ? 0 : 1 << 52
        add(double.significandBitPattern | leading, at: exponent - 1, isNegative: double < 0)
    }

    mutating func add(_ integer: WideInteger) {
        let (high, low) = integer.magnitude
        add(low, at: Self.unitPosition, isNegative: integer.isNegative)
        add(high, at: Self.unitPosition + 64, isNegative: integer.isNegative)
    }

    /// Adds `bits` · 2^`position` units.
    private mutating func add(_ bits: UInt64, at position: Int, isNegative: Bool) {
        let limb = position / Self.bitsPerLimb
        let shift = UInt64(position % Self.bitsPerLimb)
        let mask: UInt64 = 0xFFFF_FFFF
        let parts = (bits << shift & mask, bits >> (32 - shift) & mask, bits >> (64 - shift))
        let sign: Int64 = isNegative ? -1 : 1
        limbs[limb] += sign * Int64(parts.0)
        limbs[limb + 1] += sign * Int64(parts.1)
        limbs[limb + 2] += sign * Int64(parts.2)
        additions += 1
        if additions == Self.additionsPerCarry { carry() }
    }

    /// Normalizes every limb but the last to 0 ..< 2³²; the last one has the sign.
    private mutating func carry() {
        var carried: Int64 = 0
        for index in limbs.indices.dropLast() {
            let limb = limbs[index] + carried
            limbs[index] = limb & 0xFFFF_FFFF
            carried = limb >> 32
        }
        limbs[limbs.count - 1] += carried
        additions = 0
    }

    /// The nearest double, ties to even; infinite beyond the largest.
    var rounded: Double {
        var sum = self
        sum.carry()
        let isNegative = sum.limbs[sum.limbs.count - 1] < 0
        if isNegative {
            for index in sum.limbs.indices { sum.limbs[index].negate() }
            sum.carry()
        }
        guard let top = sum.limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        // The 64 leading bits, the last of which represents all lower bits: enough for correct rounding.
        let leadingZeros = UInt64(UInt32(truncatingIfNeeded: sum.limbs[top]).leadingZeroBitCount)
        func limb(_ index: Int) -> UInt64 { index < 0 ? 0 : UInt64(sum.limbs[index]) }
        let upper = limb(top) << 32 | limb(top - 1)
        let lower = limb(top - 2) << leadingZeros
        var bits = upper << leadingZeros | lower >> 32
        let isInexact = lower & 0xFFFF_FFFF != 0 || (top > 2 && sum.limbs[..<(top - 2)].contains { $0 != 0 })
        if isInexact { bits |= 1 }
        let position = (top - 1) * Self.bitsPerLimb - Int(leadingZeros)
        let magnitude = Double(sign: .plus, exponent: position - Self.unitPosition, significand: Double(bits))
        return isNegative ? -magnitude : magnitude
    }
}
