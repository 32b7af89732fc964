// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import HearthBase

/// What was set for a field of a collection group: its indexes, and whether documents expire by it.
struct FieldSettings: Sendable {
    static let facts = "hearth/admin/fields/"
    /// The maximum number of them in a database.
    static let maximum = 1_000

    let field: FieldName
    /// The indexes as they were sent; nil for those of the ancestor.
    var indexes: [JSON]?
    /// The offset of the expiry, as it was sent; nil if documents do not expire by the field. Empty for none.
    var expiry: String?

    init(field: FieldName) { self.field = field }

    /// nil if the bytes are damaged.
    init?(stored bytes: ByteSlice) {
        guard let json = try? JSON(bytes.array), let field = try? FieldName(group: json.text("group"), path: json.text("path")) else {
            return nil
        }
        self.field = field
        if json["indexes"] != nil { indexes = json.elements("indexes") }
    }

    /// nil if nothing is to be stored. The database has the policies of expiry by itself.
    var stored: ByteSlice? {
        guard indexes != nil else { return nil }
        let json = JSON.members([
            ("group", .string(field.group)), ("path", .string(field.pathText)), ("indexes", indexes.map { .array($0) }),
        ])
        return ByteSlice(json.bytes())
    }

    var isEmpty: Bool { indexes == nil && expiry == nil }

    var key: String { Self.key(of: field) }

    static func key(of field: FieldName) -> String {
        facts + PercentEncoding.encode(field.group) + "/" + PercentEncoding.encode(field.pathText)
    }

    // MARK: Requests

    /// The paths of a mask that a field has.
    private static let known: Set = ["name", "indexConfig", "indexConfig.indexes", "ttlConfig", "ttlConfig.expirationOffset"]

    /// Takes over what a request sets. Without a mask everything is set: what the message lacks goes back to its default. Only the offset
    /// of an expiry that is on remains, unless the mask names it: who knows on and off only does not mean that documents expire earlier.
    mutating func apply(_ message: JSON, mask: [String]) throws(FirestoreError) {
        if let unknown = mask.first(where: { !Self.known.contains($0) }) {
            throw .invalidArgument("a field has no member \"\(unknown.quoted)\" that can be changed", at: "updateMask")
        }
        func isMeant(_ name: String) -> Bool { mask.isEmpty || mask.contains { $0 == name || $0.hasPrefix(name + ".") } }
        if isMeant("indexConfig") {
            let config = message["indexConfig"]
            indexes = config.map { $0.flag("usesAncestorConfig") ? nil : $0.elements("indexes") } ?? nil
            try Limit.fieldIndexes.check(indexes?.count ?? 0, at: "field.indexConfig.indexes")
            for (place, index) in (indexes ?? []).enumerated() { try check(index, at: "field.indexConfig.indexes[\(place)]") }
        }
        if isMeant("ttlConfig") {
            let keepsOffset = message["ttlConfig"]?["expirationOffset"] == nil && !mask.contains("ttlConfig.expirationOffset")
            let present = expiry
            expiry = try message["ttlConfig"].map { (config) throws(FirestoreError) in
                let offset = try offset(config)
                return keepsOffset ? present ?? offset : offset
            }
        }
    }

    private func offset(_ config: JSON) throws(FirestoreError) -> String {
        guard field.path != nil else {
            throw .invalidArgument("documents expire by one field of a collection group; * is not one", at: field.pathText)
        }
        let text = config.text("expirationOffset")
        guard !text.isEmpty else { return "" }
        guard let offset = AdminDuration(text: text), offset.nanoseconds == 0, (0...Int64(Int32.max)).contains(offset.seconds) else {
            throw .invalidArgument(
                "the offset has 0 to \(Int32.max) whole seconds, as in 3600s", at: "field.ttlConfig.expirationOffset")
        }
        return offset.text
    }

    /// An index of the field: one entry, of the field itself.
    private func check(_ index: JSON, at place: String) throws(FirestoreError) {
        let entries = index.elements("fields")
        guard entries.count == 1 else { throw .invalidArgument("an index of a field has one field", at: place + ".fields") }
        let path = entries[0].text("fieldPath")
        if !path.isEmpty, path != "*" {
            guard let own = field.path, try PathCheck.fieldPath(wire: path) == own else {
                throw .invalidArgument("the index is for another field; use \(field.pathText)", at: place + ".fields[0].fieldPath")
            }
        }
        guard entries[0]["vectorConfig"] == nil else { return }
        _ = try mode(of: index, at: place)
        guard ["", "COLLECTION", "COLLECTION_GROUP", "QUERY_SCOPE_UNSPECIFIED"].contains(index.text("queryScope")) else {
            throw .invalidArgument("COLLECTION or COLLECTION_GROUP is expected", at: place + ".queryScope")
        }
    }

    private func mode(of index: JSON, at place: String) throws(FirestoreError) -> IndexDefinition.Field.Mode {
        let entry = index.elements("fields")[0]
        switch (entry.text("order"), entry.text("arrayConfig")) {
        case ("ASCENDING", ""): return .ascending
        case ("DESCENDING", ""): return .descending
        case ("", "CONTAINS"): return .arrayContains
        default: throw .invalidArgument("an order or an arrayConfig is missing", at: place + ".fields[0]")
        }
    }

    // MARK: Consequences

    /// The indexes of the engine that the settings ask for.
    var definitions: [IndexDefinition] {
        guard let path = field.path, let indexes else { return [] }
        let all = indexes.compactMap { (index) -> IndexDefinition? in
            guard let mode = try? mode(of: index, at: "") else { return nil }
            let scope: IndexDefinition.Scope = index.text("queryScope") == "COLLECTION_GROUP" ? .collectionGroup : .collection
            return IndexDefinition(collectionID: field.group, scope: scope, fields: [IndexDefinition.Field(path, mode)])
        }
        return all.reduce(into: []) { known, definition in
            // Read backwards, an index serves the other direction.
            if !known.contains(definition), !known.contains(definition.reversed) { known.append(definition) }
        }
    }

    /// nil where the ancestor decides.
    var exemption: IndexExemptions.Setting? {
        indexes.map { .init(collectionID: field.isDefault ? nil : field.group, path: field.path, isExempt: $0.isEmpty) }
    }
}
