// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import FirestoreSemantics

@Suite struct ExactSumTests {
    private func sum(_ doubles: [Double], and integers: [Int64] = []) -> Double {
        var sum = ExactSum()
        for double in doubles { sum.add(double) }
        var wide = WideInteger()
        for integer in integers { wide.add(integer) }
        sum.add(wide)
        return sum.rounded
    }

    @Test(arguments: [
        ([], 0), ([1.5], 1.5), ([-1.5], -1.5), ([1e308, 1e308], .infinity), ([-1e308, -1e308], -.infinity),
        ([1e308, 1e308, -1e308, -1e308, 3], 3), ([0x1p53, 1, 0x1p-1074], 0x1p53 + 2), ([0x1p53, 1], 0x1p53),
        ([0x1p53, 3], 0x1p53 + 4), ([-0x1p53, -1, -0x1p-1074], -0x1p53 - 2), ([.leastNonzeroMagnitude], .leastNonzeroMagnitude),
        ([.leastNormalMagnitude, -.leastNonzeroMagnitude], .leastNormalMagnitude.nextDown), ([.greatestFiniteMagnitude], .greatestFiniteMagnitude),
        ([1e308, -0x1p-1074], 1e308), ([1, 0x1p-60, -1], 0x1p-60), ([0x1p32, -1], 0x1p32 - 1), ([0x1p-1070, 0x1p-1022], 0x1p-1070 + 0x1p-1022),
    ] as [([Double], Double)])
    func `only the total is rounded`(doubles: [Double], expected: Double) {
        #expect(sum(doubles) == expected)
        #expect(sum(doubles.reversed()) == expected)
    }

    @Test func `integers of more than 64 bits add up with doubles`() {
        #expect(sum([], and: [.max, .max, 2]) == 0x1p64)
        #expect(sum([-0x1p64], and: [.max, .max, 3]) == 1)
        #expect(sum([0x1p64], and: [.min, .min, -7]) == -7)
    }

    @Test func `wide integers know when they fit`() {
        var wide = WideInteger()
        #expect(wide.exact == 0)
        for _ in 0..<3 { wide.add(.min) }
        #expect(wide.exact == nil && wide.isNegative)
        #expect(wide.magnitude == (1, 1 << 63))
        for _ in 0..<3 { wide.add(.max) }
        #expect(wide.exact == -3)
        wide.add(3)
        #expect(wide == WideInteger())
    }

    /// The difference between the sum and the rounded total is at most half a unit in its last place.
    @Test(arguments: 0..<40)
    func `random sums are rounded to the nearest, in any order`(seed: Int) {
        var generator = SeededGenerator(seed: UInt64(seed))
        let doubles = (0..<200).map { _ -> Double in
            let double = Double(bitPattern: generator.next())
            // Every second seed: everything of a similar size, so that every addend matters.
            let tame = Double(sign: double.sign, exponent: Int.random(in: -80...20, using: &generator), significand: double.significand)
            return seed.isMultiple(of: 2) ? tame : double
        }.filter(\.isFinite)
        let total = sum(doubles)
        #expect(total == sum(doubles.shuffled(using: &generator)), "seed \(seed)")
        guard total.isFinite else { return }
        #expect(abs(sum(doubles + [-total])) <= total.ulp / 2, "seed \(seed)")
    }
}
