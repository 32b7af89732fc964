// SPDX-License-Identifier: Apache-2.0

/// Character classes that patterns name.
enum NamedClasses {
    /// `\d`, `\s` and `\w`, which know ASCII only.
    static let digit = [range("0", "9")]
    static let space = [ScalarRange(9, 10), ScalarRange(12, 13), ScalarRange(32, 32)]
    static let word = [range("0", "9"), range("A", "Z"), range("_", "_"), range("a", "z")]

    /// The classes of `[[:name:]]`.
    static func posix(_ name: String) -> [ScalarRange]? {
        switch name {
        case "alnum": [range("0", "9"), range("A", "Z"), range("a", "z")]
        case "alpha": [range("A", "Z"), range("a", "z")]
        case "ascii": [ScalarRange(0, 0x7F)]
        case "blank": [ScalarRange(9, 9), ScalarRange(32, 32)]
        case "cntrl": [ScalarRange(0, 0x1F), ScalarRange(0x7F, 0x7F)]
        case "digit": digit
        case "graph": [range("!", "~")]
        case "lower": [range("a", "z")]
        case "print": [range(" ", "~")]
        case "punct": [range("!", "/"), range(":", "@"), range("[", "`"), range("{", "~")]
        case "space": [ScalarRange(9, 13), ScalarRange(32, 32)]
        case "upper": [range("A", "Z")]
        case "word": word
        case "xdigit": [range("0", "9"), range("A", "F"), range("a", "f")]
        default: nil
        }
    }

    /// The classes of `\p{name}`: general categories and scripts by the names that RE2 knows, and `Any`.
    static func unicode(_ name: String) -> [ScalarRange]? {
        if name == "Any" { return ScalarSet.all.ranges }
        if let members = UnicodeTables.groups[name] { return members.flatMap { unicode($0) ?? [] } }
        guard let encoded = UnicodeTables.properties[name] else { return nil }
        var reader = CompactNumbers(encoded)
        var ranges: [ScalarRange] = []
        var next: UInt32 = 0
        while let gap = reader.next(), let length = reader.next() {
            ranges.append(ScalarRange(next + gap, next + gap + length))
            next += gap + length + 1
        }
        return ranges
    }

    /// The scalars allowed in a group's name.
    static let nameScalars = ScalarSet(["L", "Mn", "Mc", "Nd", "Nl", "Pc"].flatMap { unicode($0) ?? [] })

    private static func range(_ first: Unicode.Scalar, _ last: Unicode.Scalar) -> ScalarRange { ScalarRange(first.value, last.value) }
}
