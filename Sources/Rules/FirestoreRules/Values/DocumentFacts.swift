// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A document as conditions see it: `{data, id, __name__}`.
final class DocumentFacts: Sendable {
    let key: DocumentKey
    let fields: FieldBytes
    let database: String

    init(key: DocumentKey, fields: FieldBytes, database: String) {
        self.key = key
        self.fields = fields
        self.database = database
    }

    static let names: [MemberName] = [.name, .data, .id]

    subscript(name: MemberName) -> RulesValue? {
        switch name {
        case .data: return .map(.stored(fields.bytes))
        case .id: return .string(key.id)
        case .name:
            let segments = key.path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
            return .path(PathValue(["databases", database, "documents"] + segments))
        default: return nil
        }
    }
}
