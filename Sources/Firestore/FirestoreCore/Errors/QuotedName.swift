// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// The text as an error quotes it: of a name that a stranger sent, the first two hundred bytes.
    ///
    /// A name can have megabytes, and an error is answered, logged and shown. Every error that quotes a field name, a path, an id, the name
    /// of a function, a header or an option uses this.
    package var quoted: String {
        guard utf8.count > QuotedName.bytes else { return String(self) }
        var bytes = Array(utf8.prefix(QuotedName.bytes))
        // A character is not cut in two.
        while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
        if let last = bytes.last, last >= 0xC0 { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self) + "…"
    }
}

extension FieldPathSegments {
    /// The canonical spelling as an error quotes it.
    package var quoted: String { canonical.quoted }
}

/// How much of a name an error quotes.
package enum QuotedName {
    package static let bytes = 200
}
