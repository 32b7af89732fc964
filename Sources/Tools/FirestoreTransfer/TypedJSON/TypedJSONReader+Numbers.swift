// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Numbers: integers without a point or an exponent, otherwise doubles.
extension TypedJSONReader {
    mutating func number() throws(JSONProblem) {
        let token = try scanner.number()
        if token.isWhole {
            output.append(integer: try integer(token))
        } else {
            output.append(double: try double(token))
        }
    }

    func integer(_ token: JSONScanner.NumberToken) throws(JSONProblem) -> Int64 {
        var index = token.start
        let end = token.start + token.count
        let isNegative = scanner.bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        // The range of negative numbers is larger by one.
        var number: Int64 = 0
        while index < end {
            let digit = Int64(scanner.bytes[index] &- UInt8(ascii: "0"))
            let (product, overflow) = number.multipliedReportingOverflow(by: 10)
            let (sum, carry) = isNegative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            if overflow || carry {
                throw JSONProblem(
                    "the integer does not fit into 64 bits; write a point or an exponent (1.0e19) for a double", at: token.start)
            }
            number = sum
            index += 1
        }
        return number
    }

    /// Powers of ten that a double holds exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// The nearest double. Numbers with few digits and a small exponent, which are nearly all, take one division.
    func double(_ token: JSONScanner.NumberToken) throws(JSONProblem) -> Double {
        var index = token.start
        let end = token.start + token.count
        let isNegative = scanner.bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var digits: UInt64 = 0
        var places = 0
        var isBehindPoint = false
        scan: while index < end {
            let byte = scanner.bytes[index]
            switch byte {
            case UInt8(ascii: "."): isBehindPoint = true
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            default:
                digits = digits &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
                if isBehindPoint { places += 1 }
            }
            index += 1
        }
        // Exact: both fit into the 53 bits of a double, so the division rounds once. Eighteen characters are less than
        // 2^63, so nothing has overflowed.
        if index == end, token.count <= 18, digits <= 1 << 53, places < Self.powers.count {
            let magnitude = Double(digits) / Self.powers[places]
            return isNegative ? -magnitude : magnitude
        }
        guard let number = Double(scanner.text(of: token)), number.isFinite else {
            throw JSONProblem("the number is too large for a double", at: token.start)
        }
        return number
    }
}
