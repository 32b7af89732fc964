// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The forms that all names in a map may have in common, when they are data and not names of fields.
package struct NameShapes: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let automaticID = NameShapes(rawValue: 1)
    package static let userID = NameShapes(rawValue: 2)
    package static let uuid = NameShapes(rawValue: 4)
    package static let digits = NameShapes(rawValue: 8)
    package static let isoDate = NameShapes(rawValue: 16)
    package static let email = NameShapes(rawValue: 32)
    /// Codes of languages or countries, which are data only if some map lacks one.
    package static let code = NameShapes(rawValue: 64)

    package static let all = NameShapes(rawValue: 127)

    /// The shapes of ids, with words for notes.
    static let ids: [(shape: NameShapes, words: String)] = [
        (.digits, "digits"), (.automaticID, "20-character ids"), (.userID, "28-character user ids"), (.uuid, "UUIDs"), (.isoDate, "dates"),
        (.email, "e-mail addresses"),
    ]

    static let codes = "all names are codes of languages or countries"
    /// Where names are data for several reasons.
    static let mixed = "its names are data"

    /// Why names with these shapes are data, if they are.
    var reason: String? {
        Self.ids.first { contains($0.shape) }.map { "all names are \($0.words)" } ?? (contains(.code) ? Self.codes : nil)
    }

    init(_ name: UnsafeRawBufferPointer) {
        var shapes: NameShapes = []
        if TextScanner.isAutomaticID(name) { shapes.insert(.automaticID) }
        if TextScanner.isUserID(name) { shapes.insert(.userID) }
        if TextScanner.isUUID(name) { shapes.insert(.uuid) }
        if !name.isEmpty, name.allSatisfy(TextScanner.isDigit) { shapes.insert(.digits) }
        if TextScanner.isDate(name) { shapes.insert(.isoDate) }
        if TextScanner.isEmail(name) { shapes.insert(.email) }
        if TextScanner.isLanguageCode(name) || TextScanner.isCountryCode(name) { shapes.insert(.code) }
        self = shapes
    }
}
