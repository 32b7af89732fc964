// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The message `Index`, and the definition that it describes.
enum IndexMessage {
    /// What a request asks for: an index of the engine, or one with a vector, which changes nothing here.
    enum Wanted {
        case index(IndexDefinition)
        /// The message, as it is echoed.
        case vector(JSON)
    }

    static func read(_ message: JSON, group: String) throws(FirestoreError) -> Wanted {
        try checkKind(message)
        let fields = message.elements("fields")
        guard (1...Limits.indexFields).contains(fields.count) else {
            throw .invalidArgument("an index has 2 to \(Limits.indexFields) fields", at: "index.fields")
        }
        if fields.contains(where: { $0["vectorConfig"] != nil }) { return .vector(try vector(message, fields)) }
        if let place = fields.firstIndex(where: { $0["searchConfig"] != nil }) {
            throw FirestoreError(.unimplemented, "search indexes are not offered here", at: "index.fields[\(place)].searchConfig")
        }
        let definition = try definition(group: group, scope: message.text("queryScope"), fields: fields, at: "index")
        guard definition.isListed else {
            throw .invalidArgument("an index of one field is set up with the settings of the field", at: "index.fields")
        }
        return .index(definition)
    }

    private static func checkKind(_ message: JSON) throws(FirestoreError) {
        func reject(_ name: String, _ why: String) throws(FirestoreError) { throw FirestoreError(.unimplemented, why, at: "index.\(name)") }
        if message.text("queryScope") == "COLLECTION_RECURSIVE" { try reject("queryScope", "the scope is one of Datastore mode") }
        if ["DATASTORE_MODE_API", "MONGODB_COMPATIBLE_API"].contains(message.text("apiScope")) {
            try reject("apiScope", "only indexes for Firestore's API are offered here")
        }
        if message.flag("multikey") { try reject("multikey", "multikey indexes are those of MongoDB compatibility") }
        if message.flag("unique") { try reject("unique", "unique indexes are not offered here") }
        if message.integer("shardCount") > 0 { try reject("shardCount", "indexes are not sharded here") }
        if ["SPARSE_ANY", "DENSE"].contains(message.text("density")) { try reject("density", "indexes are SPARSE_ALL here") }
    }

    /// Reads fields as `firestore.indexes.json` has them, which is the same form.
    static func definition(
        group: String, scope: String, fields: [JSON], at place: String
    ) throws(FirestoreError) -> IndexDefinition {
        let entry = JSON.object([
            ("collectionGroup", .string(group)), ("queryScope", .string(scope.isEmpty ? "COLLECTION" : scope)), ("fields", .array(fields)),
        ])
        do throws(FirestoreError) {
            let read = try IndexConfiguration(json: JSON.object([("indexes", .array([entry]))]).bytes()).definitions
            guard let definition = read.first else {
                throw .invalidArgument("the index has no fields but __name__", at: "indexes[0].fields")
            }
            return definition
        } catch {
            throw .invalidArgument(error.message, at: error.location?.replacing("indexes[0]", with: place))
        }
    }

    private static func vector(_ message: JSON, _ fields: [JSON]) throws(FirestoreError) -> JSON {
        for (index, field) in fields.enumerated() {
            _ = try PathCheck.fieldPath(wire: field.text("fieldPath"))
            guard let vector = field["vectorConfig"] else { continue }
            guard (1...Limits.vectorDimensions).contains(vector.integer("dimension")) else {
                throw .invalidArgument(
                    "a vector has 1 to \(Limits.vectorDimensions) dimensions", at: "index.fields[\(index)].vectorConfig.dimension")
            }
        }
        guard fields.last?["vectorConfig"] != nil else {
            throw .invalidArgument("the field with the vector is the last one", at: "index.fields")
        }
        return .object([
            ("queryScope", .string(message.text("queryScope").isEmpty ? "COLLECTION" : message.text("queryScope"))),
            ("fields", .array(fields)), ("density", .string("SPARSE_ALL")),
        ])
    }

    // MARK: Writing

    /// An index with its name and its state.
    static func message(_ definition: IndexDefinition, isReady: Bool, name: String?) -> JSON {
        var fields = definition.fields.map { field(pathText: $0.path.canonical, $0.mode) }
        // As the service adds it.
        if definition.isListed {
            fields.append(field(pathText: "__name__", definition.nameDirection == .descending ? .descending : .ascending))
        }
        return .members([
            ("name", name.map { .string($0) }),
            ("queryScope", .string(definition.scope == .collection ? "COLLECTION" : "COLLECTION_GROUP")),
            ("apiScope", .string("ANY_API")), ("fields", .array(fields)), ("state", .string(isReady ? "READY" : "CREATING")),
            ("density", definition.isListed ? .string("SPARSE_ALL") : nil),
        ])
    }

    static func field(pathText: String, _ mode: IndexDefinition.Field.Mode) -> JSON {
        switch mode {
        case .ascending: .object([("fieldPath", .string(pathText)), ("order", .string("ASCENDING"))])
        case .descending: .object([("fieldPath", .string(pathText)), ("order", .string("DESCENDING"))])
        case .arrayContains: .object([("fieldPath", .string(pathText)), ("arrayConfig", .string("CONTAINS"))])
        }
    }

    static func name(_ id: String, group: String, in database: DatabaseID) -> String {
        "\(database.resourceName)/collectionGroups/\(group)/indexes/\(id)"
    }
}
