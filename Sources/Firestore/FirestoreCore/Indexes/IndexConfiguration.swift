// SPDX-License-Identifier: Apache-2.0

/// The content of `firestore.indexes.json`, the format in which Firebase's command line reads and writes indexes.
///
/// Composite indexes and overrides of single fields. Vector searches are exact here and need no index, so fields with a vector
/// configuration are skipped, as are indexes for text searches and members that this version does not use (`density`, …). Comments and a
/// byte-order mark are allowed, as in Firebase's command line.
package struct IndexConfiguration: Sendable {
    /// Each once, in order of appearance.
    package private(set) var definitions: [IndexDefinition] = []
    /// The fields with `ttl`, one of a collection group.
    package private(set) var expiry: [ExpiryPolicy] = []

    package init(_ definitions: [IndexDefinition], expiry: [ExpiryPolicy] = []) {
        for definition in definitions { add(definition) }
        self.expiry = expiry
    }

    /// Reads the JSON text. Every mistake is an `invalidArgument` that names the entry, `indexes[2].fields[0].order`.
    package init(json text: some Sequence<UInt8>) throws(FirestoreError) {
        let root = JSONNode(try JSON(JSON.withoutComments(text)))
        for index in try root.elements("indexes") {
            if let definition = try Self.composite(index) { add(definition) }
        }
        for override in try root.elements("fieldOverrides") {
            for definition in try Self.singleFields(override) { add(definition) }
            if let policy = try Self.policy(override) { try add(policy, override) }
        }
    }

    private mutating func add(_ definition: IndexDefinition) {
        if !definitions.contains(definition) { definitions.append(definition) }
    }

    private mutating func add(_ policy: ExpiryPolicy, _ node: JSONNode) throws(FirestoreError) {
        if let rival = expiry.first(where: { $0.isOfGroup(policy.collectionGroup) }) {
            throw node.failure(
                "documents of \(policy.collectionGroup) expire by \(rival.field.quoted) already; a collection group has one such field")
        }
        expiry.append(policy)
    }

    // MARK: Composite indexes

    private static func composite(_ node: JSONNode) throws(FirestoreError) -> IndexDefinition? {
        var fields: [IndexDefinition.Field] = []
        var nameDirection: SortOrder.Direction?
        let collection = try collectionID(node)
        let scope = try scope(node)
        let entries = try node.required("fields").elements()
        for entry in entries where try entry.optional("searchConfig") != nil { return nil }
        for entry in entries {
            let path = try entry.required("fieldPath").fieldPath()
            // Google's tools write __name__ in front of the vector, which is always the last field.
            if try entry.optional("vectorConfig") != nil { continue }
            guard nameDirection == nil else { throw entry.failure("__name__ is the last field of an index; remove the fields after it") }
            let mode = try mode(entry)
            if path.isDocumentID {
                guard mode != .arrayContains else { throw entry.failure("__name__ is not an array") }
                nameDirection = mode == .descending ? .descending : .ascending
                continue
            }
            try check(IndexDefinition.Field(path, mode), after: fields, entry)
            fields.append(IndexDefinition.Field(path, mode))
        }
        guard fields.count <= Limits.indexFields else {
            throw node.failure("an index has at most \(Limits.indexFields) fields")
        }
        if fields.isEmpty { return nil }
        return IndexDefinition(collectionID: collection, scope: scope, fields: fields, nameDirection: nameDirection)
    }

    /// The elements of a field and the field itself are different columns: `tags array, tags`.
    private static func check(
        _ field: IndexDefinition.Field, after fields: [IndexDefinition.Field], _ entry: JSONNode
    ) throws(FirestoreError) {
        let isArray = field.mode == .arrayContains
        guard !fields.contains(where: { $0.path == field.path && ($0.mode == .arrayContains) == isArray }) else {
            throw entry.failure("the field \(field.path.quoted) appears twice")
        }
        guard !isArray || !fields.contains(where: { $0.mode == .arrayContains }) else {
            throw entry.failure("an index has at most one array field")
        }
    }

    // MARK: Single fields

    private static func singleFields(_ node: JSONNode) throws(FirestoreError) -> [IndexDefinition] {
        let collection = try collectionID(node)
        let path = try node.required("fieldPath").fieldPath()
        var definitions: [IndexDefinition] = []
        for entry in try node.elements("indexes") where try entry.optional("vectorConfig") == nil {
            definitions.append(
                IndexDefinition(
                    collectionID: collection, scope: try scope(entry),
                    fields: [IndexDefinition.Field(path, try mode(entry))]))
        }
        return definitions
    }

    /// nil if no documents expire by the field.
    private static func policy(_ node: JSONNode) throws(FirestoreError) -> ExpiryPolicy? {
        guard let member = try node.optional("ttl") else { return nil }
        guard case .boolean(let isOn) = member.json else { throw member.failure("true or false is expected") }
        guard isOn else { return nil }
        let (group, path) = (try collectionID(node), try node.required("fieldPath").fieldPath())
        do throws(FirestoreError) {
            return try ExpiryPolicy(collectionGroup: group, field: path)
        } catch {
            throw node.failure(error.message)
        }
    }

    // MARK: Parts of both

    /// `collectionId` is the name that older versions wrote.
    private static func collectionID(_ node: JSONNode) throws(FirestoreError) -> String {
        let id: JSONNode
        if let old = try node.optional("collectionId") { id = old } else { id = try node.required("collectionGroup") }
        do throws(FirestoreError) {
            let text = try id.string()
            try PathCheck.collectionID(text)
            return text
        } catch {
            throw id.failure(error.message)
        }
    }

    private static func scope(_ node: JSONNode) throws(FirestoreError) -> IndexDefinition.Scope {
        guard let scope = try node.optional("queryScope") else { return .collection }
        switch try scope.string() {
        case "COLLECTION", "QUERY_SCOPE_UNSPECIFIED": return .collection
        case "COLLECTION_GROUP": return .collectionGroup
        default: throw scope.failure("COLLECTION or COLLECTION_GROUP is expected")
        }
    }

    /// `mode` is the name that older versions wrote.
    private static func mode(_ node: JSONNode) throws(FirestoreError) -> IndexDefinition.Field.Mode {
        var found: IndexDefinition.Field.Mode?
        for name in ["order", "arrayConfig", "mode"] {
            guard let member = try node.optional(name) else { continue }
            guard found == nil else { throw node.failure("a field has either an order or an arrayConfig") }
            switch (name, try member.string()) {
            case ("order", "ASCENDING"), ("mode", "ASCENDING"): found = .ascending
            case ("order", "DESCENDING"), ("mode", "DESCENDING"): found = .descending
            case ("arrayConfig", "CONTAINS"), ("mode", "ARRAY_CONTAINS"): found = .arrayContains
            default:
                throw member.failure(name == "arrayConfig" ? "CONTAINS is expected" : "ASCENDING or DESCENDING is expected")
            }
        }
        guard let found else { throw node.failure("an order or an arrayConfig is missing") }
        return found
    }
}

/// Writing.
extension IndexConfiguration {
    /// The JSON text, in the format of the command line.
    package var json: JSON {
        .object([
            ("indexes", .array(definitions.filter(\.isListed).map { IndexConfigurationEntry($0).json })),
            ("fieldOverrides", .array(overrides)),
        ])
    }

    /// One per field, in order of appearance.
    private var overrides: [JSON] {
        var rest = definitions.filter { !$0.isListed }
        var overrides: [JSON] = []
        while let first = rest.first {
            let same = rest.filter {
                $0.collectionID.utf8.elementsEqual(first.collectionID.utf8) && $0.fields[0].path == first.fields[0].path
            }
            rest.removeAll { same.contains($0) }
            let expires = expiry.contains { $0.isOfGroup(first.collectionID) && $0.field == first.fields[0].path }
            overrides.append(IndexConfigurationEntry(overrides: same, expires: expires).json)
        }
        let others = expiry.filter { policy in
            !definitions.contains { !$0.isListed && policy.isOfGroup($0.collectionID) && policy.field == $0.fields[0].path }
        }
        // The command line wants a list of indexes: those that a field has by default.
        return overrides
            + others.map { policy in
                let modes = IndexDefinition.Field.Mode.allCases
                let usual = modes.map { IndexDefinition(collectionID: policy.collectionGroup, fields: [.init(policy.field, $0)]) }
                return IndexConfigurationEntry(overrides: usual, expires: true).json
            }
    }
}
