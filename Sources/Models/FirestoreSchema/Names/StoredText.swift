// SPDX-License-Identifier: Apache-2.0

/// Stored names and ids in generated code: nothing in them can end a comment or a literal, or hide in one.
package enum StoredText {
    /// Between quotes.
    static func literal(_ text: String) -> String { "\"\(escaped(text, quotes: true))\"" }

    /// In a comment, or in a line of a table.
    package static func plain(_ text: String) -> String { escaped(text, quotes: false) }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"" where quotes: result += "\\\""
            case "\\" where quotes: result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
                    result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
