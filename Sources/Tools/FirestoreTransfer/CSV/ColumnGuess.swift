// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Guesses the type of a column from the cells of the first rows. The guess is conservative: a cell that would not be
/// written the same again, such as a number with a leading zero or with too many digits, is a string.
struct ColumnGuess {
    private var kinds: Set<Kind> = []

    private enum Kind {
        /// An integer that a double represents exactly, too.
        case smallInteger
        case integer, double, bool, timestamp, other
    }

    /// Takes a cell that is not empty into account.
    mutating func look(at cell: String) { kinds.insert(Self.kind(ColumnType.trimmed(cell))) }

    var type: ColumnType {
        switch kinds {
        case [.smallInteger], [.integer], [.smallInteger, .integer]: .int
        case [.double], [.double, .smallInteger]: .double
        case [.bool]: .bool
        case [.timestamp]: .timestamp
        default: .string
        }
    }

    private static func kind(_ text: String) -> Kind {
        if ["true", "false"].contains(text.lowercased()) { return .bool }
        if let isWhole = isNumber(text) {
            guard isWhole else { return Double(text).map(\.isFinite) == true ? .double : .other }
            guard let integer = Int64(text) else { return .other }
            return integer.magnitude <= 1 << 53 ? .smallInteger : .integer
        }
        return TimestampValue(text: text) == nil ? .other : .timestamp
    }

    /// Whether a number, as JSON writes it, is whole; nil if the text is not a number.
    private static func isNumber(_ text: String) -> Bool? {
        var text = text
        return text.withUTF8 { bytes in
            var scanner = JSONScanner(UnsafeRawBufferPointer(bytes))
            guard let first = bytes.first, first == UInt8(ascii: "-") || JSONScanner.isDigit(first),
                let token = try? scanner.number(), token.count == bytes.count
            else { return nil }
            return token.isWhole
        }
    }
}
