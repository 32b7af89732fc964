// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Colours by role; none if the terminal does not support them.
struct Style: Sendable {
    let isColored: Bool

    enum Role {
        case path, name, string, number, word, marked, faint, added, removed, changed, heading

        fileprivate var code: StaticString {
            switch self {
            case .path: "1"
            case .name: "36"
            case .string: "32"
            case .number: "33"
            case .word: "35"
            case .marked: "34"
            case .faint: "2"
            case .added: "32"
            case .removed: "31"
            case .changed: "33"
            case .heading: "1;4"
            }
        }
    }

    func callAsFunction(_ role: Role, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(role.code)m\(text)\u{1B}[0m" : text
    }

    /// The colour of a value's text.
    static func role(of kind: ValueKind) -> Role? {
        switch kind {
        case .string: .string
        case .integer, .double: .number
        case .null, .boolean: .word
        case .timestamp, .bytes, .reference, .geoPoint: .marked
        case .array, .map, .malformed: nil
        }
    }
}
