// SPDX-License-Identifier: Apache-2.0

/// Values as text, as `string()` writes them.
enum ValueText {
    /// Nil for types that `string()` does not take.
    static func text(_ value: RulesValue) -> String? {
        switch value {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .int(let value): String(value)
        case .float(let value): text(value)
        case .string(let value): value
        case .path(let value): value.text
        default: nil
        }
    }

    /// The shortest digits that give the number again, with an exponent from 10⁷ on and below 10⁻³: `1.0`, `1.0E8`.
    static func text(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
        let sign = value.sign == .minus ? "-" : ""
        if value == 0 { return sign + "0.0" }
        let (digits, exponent) = decimal(value.magnitude)
        if (-3..<7).contains(exponent) {
            if exponent < 0 { return sign + "0." + String(repeating: "0", count: -exponent - 1) + digits }
            let whole = digits.prefix(exponent + 1)
            let fraction = digits.dropFirst(exponent + 1)
            let padding = String(repeating: "0", count: exponent + 1 - whole.count)
            return sign + whole + padding + "." + (fraction.isEmpty ? "0" : String(fraction))
        }
        let fraction = digits.dropFirst()
        return sign + digits.prefix(1) + "." + (fraction.isEmpty ? "0" : String(fraction)) + "E\(exponent)"
    }

    /// The digits without zeros at the ends, and the power of ten of the first one.
    private static func decimal(_ value: Double) -> (digits: String, exponent: Int) {
        // Swift writes the shortest digits too, as `1234.5`, `1e+16` or `1.5e-05`.
        let parts = value.description.split(separator: "e")
        let mantissa = parts[0].split(separator: ".", omittingEmptySubsequences: false)
        let whole = mantissa[0]
        let fraction = mantissa.count > 1 ? mantissa[1] : ""
        let all = String(whole + fraction)
        let leading = all.prefix { $0 == "0" }.count
        var digits = all.dropFirst(leading)
        while digits.last == "0" { digits.removeLast() }
        let shift = parts.count > 1 ? Int(parts[1].drop { $0 == "+" }) ?? 0 : 0
        return (String(digits), whole.count - 1 - leading + shift)
    }

    // MARK: Reading

    /// An optional sign and digits.
    static func integer(_ text: String) -> Int64? { Int64(text) }

    /// A decimal number with or without exponent, `NaN` or `Infinity`.
    static func float(_ text: String) -> Double? {
        let trimmed = trim(text)
        let unsigned = trimmed.first == "-" || trimmed.first == "+" ? trimmed.dropFirst() : trimmed[...]
        if unsigned == "NaN" { return .nan }
        if unsigned == "Infinity" { return trimmed.first == "-" ? -.infinity : .infinity }
        guard unsigned.utf8.first.map({ Lexer.isDigit($0) || $0 == UInt8(ascii: ".") }) == true,
            unsigned.utf8.allSatisfy({ Lexer.isDigit($0) || "+-.eE".utf8.contains($0) })
        else { return nil }
        var completed = String(trimmed)
        if completed.hasSuffix(".") { completed += "0" }
        return Double(completed)
    }

    /// Without blanks and control characters at the ends.
    static func trim(_ text: String) -> String {
        let utf8 = text.utf8
        guard let first = utf8.firstIndex(where: { $0 > 0x20 }), let last = utf8.lastIndex(where: { $0 > 0x20 }) else { return "" }
        return String(text[first...last])
    }

    /// Letters of ASCII only.
    static func uppercased(_ text: String) -> String {
        mapped(text) { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) ? $0 - 32 : $0 }
    }

    static func lowercased(_ text: String) -> String {
        mapped(text) { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    }

    private static func mapped(_ text: String, _ transform: (UInt8) -> UInt8) -> String {
        String(decoding: text.utf8.map(transform), as: UTF8.self)
    }

    static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
