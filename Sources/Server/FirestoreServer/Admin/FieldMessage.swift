// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// The message `Field`.
enum FieldMessage {
    /// What is known of the database when a field is shown.
    struct Surroundings {
        let database: DatabaseID
        /// The settings of all fields.
        let settings: [FieldSettings]
        /// Whether a configured index answers queries.
        let isReady: (IndexDefinition) -> Bool
        let expiry: ExpiryState
    }

    static func message(_ field: FieldName, _ surroundings: Surroundings) -> JSON {
        let own = surroundings.settings.first { $0.field.isSame(as: field) }
        let ancestor = nearestAncestor(of: field, in: surroundings.settings)
        let isDefault = field.isDefault
        var config: [(name: String, value: JSON?)] = []
        if let indexes = own?.indexes {
            let shown = indexes.map { Self.shown($0, field, surroundings) }
            if !isDefault { config.append(("ancestorField", .string(ancestor.name(in: surroundings.database)))) }
            config.insert(("indexes", shown.isEmpty ? nil : .array(shown)), at: 0)
        } else {
            let inherited = surroundings.settings.first { $0.field.isSame(as: ancestor) }?.indexes ?? standard
            let shown = inherited.map { Self.shown($0, field, surroundings) }
            config = [("indexes", shown.isEmpty ? nil : .array(shown))]
            if !isDefault {
                config.append(("usesAncestorConfig", .boolean(true)))
                config.append(("ancestorField", .string(ancestor.name(in: surroundings.database))))
            }
        }
        let expiry = own?.expiry.map { offset in
            JSON.members([
                ("state", .string(surroundings.expiry.rawValue)), ("expirationOffset", offset.isEmpty ? nil : .string(offset)),
            ])
        }
        return .members([
            ("name", .string(field.name(in: surroundings.database))), ("indexConfig", .members(config)), ("ttlConfig", expiry),
        ])
    }

    /// What every field has that was not set up otherwise.
    private static let standard: [JSON] = [IndexDefinition.Field.Mode.ascending, .descending, .arrayContains].map { mode in
        .object([("queryScope", .string("COLLECTION")), ("fields", .array([IndexMessage.field(pathText: "*", mode)]))])
    }

    /// The settings that hold where a field has none: of a map around it, of its group, of the database.
    private static func nearestAncestor(of field: FieldName, in settings: [FieldSettings]) -> FieldName {
        guard !field.isDefault else { return field }
        let candidates = settings.filter { other in
            guard other.indexes != nil, equalUTF8(other.field.group, field.group), !other.field.isSame(as: field) else { return false }
            guard let path = other.field.path else { return field.path != nil }
            return field.path.map { path.isPrefix(of: $0) } ?? false
        }
        return candidates.max { ($0.field.path?.segments.count ?? 0) < ($1.field.path?.segments.count ?? 0) }?.field ?? .everyField
    }

    private static func shown(_ index: JSON, _ field: FieldName, _ surroundings: Surroundings) -> JSON {
        var entry = index.elements("fields").first ?? .empty
        entry.setMember("fieldPath", .string(field.pathText))
        var settings = FieldSettings(field: field)
        settings.indexes = [index]
        let isReady = settings.definitions.allSatisfy(surroundings.isReady)
        let scope = index.text("queryScope")
        return .object([
            ("queryScope", .string(scope.isEmpty || scope == "QUERY_SCOPE_UNSPECIFIED" ? "COLLECTION" : scope)),
            ("apiScope", .string("ANY_API")), ("fields", .array([entry])), ("state", .string(isReady ? "READY" : "CREATING")),
        ])
    }
}

extension FieldName {
    func isSame(as other: FieldName) -> Bool { equalUTF8(group, other.group) && path == other.path }
}
