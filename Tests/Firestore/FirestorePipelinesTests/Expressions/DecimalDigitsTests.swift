// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import FirestorePipelines

@Suite struct DecimalDigitsTests {
    private func decimal(_ units: Int, places: Int) -> Double { Double("\(units)e\(-places)") ?? .nan }

    @Test func roundingAtAPlaceIsRoundingOfTheDecimal() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2_000 {
            let units = Int.random(in: -99_999_999...99_999_999, using: &generator)
            let places = Int.random(in: -3...4, using: &generator)
            let divisor = (0..<(4 - places)).reduce(1) { product, _ in product * 10 }
            let cut = units / divisor
            let rest = (units % divisor).magnitude
            let away = cut + (rest * 2 >= divisor && rest > 0 ? units.signum() : 0)
            let digits = DecimalDigits(decimal(units, places: 4))
            #expect(digits.rounded(to: places, .towardZero).double == decimal(cut, places: places))
            #expect(digits.rounded(to: places, .toNearestOrAwayFromZero).double == decimal(away, places: places))
        }
    }

    @Test func aDoubleIsItsDecimal() {
        for value in [0, 0.1 as Double, 1e-300, .leastNonzeroMagnitude, 1.7976931348623157e308, 123_456_789.125, -2.5, 1e16, 1e15] {
            #expect(DecimalDigits(value).double == value)
        }
        #expect(DecimalDigits(-0.0).double.sign == .minus)
    }
}
