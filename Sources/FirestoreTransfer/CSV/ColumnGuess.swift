import FirestoreCore

/// What the cells of a column seem to hold, from those that were looked at. Careful: what would not read back the same, a number
/// with a leading zero or with too many digits, is text.
struct ColumnGuess {
    private var kinds: Set<Kind> = []

    private enum Kind {
        /// Also exact as a double.
        case smallInteger
        case integer, double, bool, timestamp, other
    }

    /// Looks at a cell that is not empty.
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

    /// Whether a number, as JSON writes it, is whole; nil if the text is something else.
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
