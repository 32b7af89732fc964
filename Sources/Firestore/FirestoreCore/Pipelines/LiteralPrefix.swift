// SPDX-License-Identifier: Apache-2.0

/// The text with which everything begins that a pattern can match.
enum LiteralPrefix {
    /// What stands before the first wildcard of a pattern of `like`, or before a character that may have another meaning.
    static func like(_ pattern: String) -> String {
        var prefix = String.UnicodeScalarView()
        for scalar in pattern.unicodeScalars {
            if "%_\\".unicodeScalars.contains(scalar) { break }
            prefix.append(scalar)
        }
        return String(prefix)
    }

    /// The letters and digits behind `^` at the beginning of a regular expression; nil if its matches need not begin with them.
    static func regularExpression(_ pattern: String) -> String? {
        let scalars = Array(pattern.unicodeScalars)
        // An alternative may begin with something else.
        guard scalars.first == "^", !scalars.contains("|") else { return nil }
        let literal = scalars.dropFirst().prefix { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == " ")
        }
        var prefix = String.UnicodeScalarView(literal)
        // The last one may be optional.
        if literal.endIndex < scalars.count, "*?{".unicodeScalars.contains(scalars[literal.endIndex]) { _ = prefix.popLast() }
        return prefix.isEmpty ? nil : String(prefix)
    }

    /// The first text behind all that begin with this one; nil if there is none.
    static func next(after prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // The surrogates are no characters.
            guard let next = Unicode.Scalar(last.value == 0xD7FF ? 0xE000 : last.value + 1), next.value <= 0x10FFFF else { continue }
            return String(String.UnicodeScalarView(scalars + [next]))
        }
        return nil
    }
}
