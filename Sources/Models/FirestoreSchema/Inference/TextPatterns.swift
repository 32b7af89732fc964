// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The patterns that all strings of a field may have in common. Scanners over bytes, linear in their length (MP-97).
package struct TextPatterns: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Begins with a letter; up to 31 letters, digits, blanks, `_` and `-` follow: a word that may be one of a few.
    package static let word = TextPatterns(rawValue: 1)
    package static let url = TextPatterns(rawValue: 2)
    package static let hexColor = TextPatterns(rawValue: 4)
    package static let isoDate = TextPatterns(rawValue: 8)
    package static let isoDateTime = TextPatterns(rawValue: 16)
    package static let email = TextPatterns(rawValue: 32)
    package static let uuid = TextPatterns(rawValue: 64)
    package static let numeral = TextPatterns(rawValue: 128)
    package static let automaticID = TextPatterns(rawValue: 256)
    package static let base64 = TextPatterns(rawValue: 512)
    package static let documentPath = TextPatterns(rawValue: 1024)
    package static let languageCode = TextPatterns(rawValue: 2048)

    /// `2012/01/31`
    package static let slashDate = TextPatterns(rawValue: 4096)

    package static let all = TextPatterns(rawValue: 8191)

    /// From the most specific one to the least, with their names.
    package static let hints: [(pattern: TextPatterns, name: String)] = [
        (.url, "url"), (.hexColor, "hexColor"), (.isoDate, "isoDate"), (.isoDateTime, "isoDateTime"), (.slashDate, "slashDate"),
        (.email, "email"), (.uuid, "uuid"),
        (.numeral, "numeral"), (.automaticID, "automaticID"), (.base64, "base64"), (.documentPath, "documentPath"),
        (.languageCode, "languageCode"),
    ]

    /// The patterns among `self` that the text has. Only these are examined.
    func matching(_ text: UnsafeRawBufferPointer) -> TextPatterns {
        var result: TextPatterns = []
        func examine(_ pattern: TextPatterns, _ matches: (UnsafeRawBufferPointer) -> Bool) {
            if contains(pattern), matches(text) { result.insert(pattern) }
        }
        examine(.word, TextScanner.isWord)
        examine(.url, TextScanner.isURL)
        examine(.hexColor, TextScanner.isHexColor)
        examine(.isoDate, TextScanner.isDate)
        examine(.isoDateTime, TextScanner.isDateTime)
        examine(.slashDate, TextScanner.isSlashDate)
        examine(.email, TextScanner.isEmail)
        examine(.uuid, TextScanner.isUUID)
        examine(.numeral, TextScanner.isNumeral)
        examine(.automaticID, TextScanner.isAutomaticID)
        examine(.base64, TextScanner.isBase64)
        examine(.documentPath, TextScanner.isDocumentPath)
        examine(.languageCode, TextScanner.isLanguageCode)
        return result
    }
}
