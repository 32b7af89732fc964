// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A list: still in the bytes of a document, or made by a condition.
enum ListValue: Sendable {
    /// The encoded elements.
    case stored(ByteSlice)
    case elements([RulesValue])
    /// The list contains these, and perhaps others: the keys of a map that a query only partly determines.
    case open([RulesValue])

    var elements: [RulesValue] {
        switch self {
        case .elements(let elements), .open(let elements): return elements
        case .stored(let bytes):
            defer { withExtendedLifetime(bytes) {} }
            return ArrayView(bytes.buffer).map { RulesValue($0, in: bytes) }
        }
    }

    var isOpen: Bool {
        if case .open = self { true } else { false }
    }

    var count: Int {
        switch self {
        case .elements(let elements), .open(let elements): return elements.count
        case .stored(let bytes):
            defer { withExtendedLifetime(bytes) {} }
            return ArrayView(bytes.buffer).count
        }
    }
}

/// A set, in the order in which its elements were added.
final class SetValue: Sendable {
    let elements: [RulesValue]
    private let keys: Set<ValueKey>

    /// Drops later equal elements. Integers and floats that are equal are one element (SR-49).
    init(_ values: some Sequence<RulesValue>) {
        var keys: Set<ValueKey> = []
        elements = values.filter { value in
            guard let key = ValueKey(value, equality: .numeric) else { return true }
            return keys.insert(key).inserted
        }
        self.keys = keys
    }

    func contains(_ value: RulesValue) -> Bool { ValueKey(value, equality: .numeric).map(keys.contains) ?? false }
}
