// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Members of messages that were checked before; with proto3's values where they are missing.
extension JSON {
    package func text(_ name: String) -> String {
        if case .string(let text)? = self[name] { text } else { "" }
    }

    package func flag(_ name: String) -> Bool {
        if case .boolean(let flag)? = self[name] { flag } else { false }
    }

    package func integer(_ name: String) -> Int {
        switch self[name] {
        case .number(let text)?, .string(let text)?: Int(text) ?? 0
        default: 0
        }
    }

    package func elements(_ name: String) -> [JSON] {
        if case .array(let elements)? = self[name] { elements } else { [] }
    }

    package func texts(_ name: String) -> [String] {
        elements(name).compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// An object without the members that are nil.
    package static func members(_ members: [(name: String, value: JSON?)]) -> JSON {
        .object(members.compactMap { member in member.value.map { (member.name, $0) } })
    }

    package static func time(_ microseconds: Int64) -> JSON {
        .string(TimestampValue(microsecondsSince1970: microseconds).text)
    }
}
