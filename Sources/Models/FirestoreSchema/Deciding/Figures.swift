// SPDX-License-Identifier: Apache-2.0

/// Numbers and ids in notes.
package enum Figures {
    /// `34,006`
    package static func grouped(_ number: Int) -> String {
        let digits = Array(String(number.magnitude))
        var text = number < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// `3 of 10,000`
    package static func share(_ part: Int, of whole: Int) -> String {
        part == whole ? "all \(grouped(whole))" : "\(grouped(part)) of \(grouped(whole))"
    }

    package static func list(_ examples: Examples) -> String { examples.ids.map(StoredText.plain).joined(separator: ", ") }

    /// `100 %`, `81.2 %`, `< 0.1 %`: in tenths, rounded down so that only all is 100 %.
    package static func percentage(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "0 %" }
        if part == whole { return "100 %" }
        let tenths = Int((Double(part) / Double(whole) * 1_000).rounded(.down))
        if tenths == 0 { return part == 0 ? "0 %" : "< 0.1 %" }
        return tenths % 10 == 0 ? "\(tenths / 10) %" : "\(tenths / 10).\(tenths % 10) %"
    }
}
