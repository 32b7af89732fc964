// SPDX-License-Identifier: Apache-2.0

/// A finite double as the shortest decimal that denotes it, for rounding at a decimal place.
///
/// Multiplying by a power of ten would round once more: 0.29 truncated to two places would become 0.28.
struct DecimalDigits {
    private var isNegative: Bool
    /// Without zeros in front; empty for zero.
    private var digits: [UInt8] = []
    /// How many of the digits are left of the point; negative for zeros behind it.
    private var point = 0

    init(_ value: Double) {
        isNegative = value.sign == .minus
        var exponent = 0
        var hasPoint = false
        let text = value.magnitude.description.utf8
        var rest = text.startIndex
        while rest < text.endIndex {
            let byte = text[rest]
            rest = text.index(after: rest)
            switch byte {
            case UInt8(ascii: "."): hasPoint = true
            case UInt8(ascii: "e"):
                exponent = Int(String(Substring(text[rest...]))) ?? 0
                rest = text.endIndex
            default:
                digits.append(byte &- UInt8(ascii: "0"))
                if !hasPoint { point += 1 }
            }
        }
        let zeros = digits.prefix { $0 == 0 }.count
        digits.removeFirst(zeros)
        point += exponent - zeros
    }

    /// Rounds half away from zero, or toward zero, to so many places behind the point.
    func rounded(to places: Int, _ rule: FloatingPointRoundingRule) -> DecimalDigits {
        let kept = point + places
        guard kept < digits.count else { return self }
        var result = self
        result.digits = Array(digits.prefix(max(kept, 0)))
        if rule != .towardZero, kept >= 0, digits[kept] >= 5 { result.increment() }
        return result
    }

    private mutating func increment() {
        for index in digits.indices.reversed() {
            if digits[index] < 9 {
                digits[index] += 1
                return
            }
            digits[index] = 0
        }
        digits.insert(1, at: 0)
        point += 1
    }

    var double: Double {
        let number = digits.isEmpty ? "0" : String(decoding: digits.map { $0 + UInt8(ascii: "0") }, as: UTF8.self)
        return Double("\(isNegative ? "-" : "")\(number)e\(digits.isEmpty ? 0 : point - digits.count)") ?? .nan
    }
}
