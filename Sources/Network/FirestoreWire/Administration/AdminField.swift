// SPDX-License-Identifier: Apache-2.0

/// One field of a message of the admin API: its number on the wire, its name in JSON, its content.
struct AdminField: Sendable {
    enum Kind: Sendable {
        case boolean, int32, int64, string, bytes
        case enumeration([(name: String, number: Int)])
        case message(AdminMessage)
        // Messages with a special form in JSON.
        case timestamp, duration, fieldMask, any
    }

    enum Shape: Sendable, Equatable {
        case single
        case repeated
        /// A map from strings to strings.
        case map
        /// At most one field with the same number is set.
        case oneof(Int)
    }

    let number: Int
    let name: String
    let kind: Kind
    let shape: Shape

    init(_ number: Int, _ name: String, _ kind: Kind, _ shape: Shape = .single) {
        self.number = number
        self.name = name
        self.kind = kind
        self.shape = shape
    }

    /// Whether JSON may call the field so: `updateMask`, or `update_mask` as in the message.
    func isCalled(_ other: String) -> Bool { equalSpelling(name, other) }
}

/// Whether two names of a field are spellings of one: `updateMask` and `update_mask`.
func equalSpelling(_ camelCase: String, _ other: String) -> Bool {
    camelCase.utf8.elementsEqual(other.utf8) || camelCase.utf8.elementsEqual(AdminMask.camelCase(other).utf8)
}
