// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer
import FirestoreWire

/// `firestore.indexes.json`, read as a whole before anything is changed: what a deployment makes of it, in one form, and what it leaves
/// out, in words.
///
/// Nothing is left out silently. What would change the meaning of an index and does not exist here is a mistake; what makes no difference
/// here is named in `notes`.
struct IndexFile {
    /// Composite indexes and indexes with vectors, each once: `collectionGroup`, `queryScope`, `fields`.
    private(set) var indexes: [JSON] = []
    /// Settings of fields, one for each: `collectionGroup`, `fieldPath`, `indexes` with `queryScope`, perhaps `ttl`.
    private(set) var overrides: [JSON] = []
    /// What is in the file and has no effect, each with its position.
    private(set) var notes: [String] = []

    private let file: FirebaseJSON

    init(_ file: FirebaseJSON) throws(FirestoreError) {
        self.file = file
        do throws(FirestoreError) { try read(file.root) } catch { throw file.located(error) }
    }

    private mutating func read(_ root: JSONNode) throws(FirestoreError) {
        for (name, node) in try root.entries() where !["indexes", "fieldOverrides", "$schema"].contains(name) {
            note(node, "the member \"\(name)\" is not known here, and has no effect")
        }
        var known: Set<[UInt8]> = []
        for node in try root.elements("indexes") {
            guard let index = try index(node) else { continue }
            let text = Self.text(of: index)
            guard known.insert(Array(text.utf8)).inserted else {
                note(node, "the index \(text) is in the file already, and is deployed once")
                continue
            }
            indexes.append(index)
        }
        var settings: [[UInt8]: JSON] = [:]
        var expiring: [[UInt8]: String] = [:]
        for node in try root.elements("fieldOverrides") {
            let override = try override(node)
            let field = "\(override.text("collectionGroup")).\(override.text("fieldPath"))"
            if let earlier = settings.updateValue(override, forKey: Array(field.utf8)) {
                guard equalUTF8(earlier.text(), override.text()) else {
                    throw node.failure("the field \(field) has other settings already in this file; make one entry of the two")
                }
                note(node, "the settings of \(field) are in the file already, and are deployed once")
                continue
            }
            let group = override.text("collectionGroup")
            if override.flag("ttl"), let rival = expiring.updateValue(override.text("fieldPath"), forKey: Array(group.utf8)) {
                throw node.failure("documents of \(group) expire by \(rival) already; a collection group has one such field")
            }
            overrides.append(override)
        }
    }

    private mutating func note(_ node: JSONNode, _ what: String) { notes.append("\(file.position(of: node.place)): \(what)") }

    // MARK: Indexes

    private static let indexMembers: Set = ["collectionGroup", "collectionId", "queryScope", "fields"]
    private static let fieldMembers: Set = ["fieldPath", "order", "arrayConfig", "mode", "vectorConfig", "searchConfig"]

    /// nil for an index that is not made here; `notes` says why.
    private mutating func index(_ node: JSONNode) throws(FirestoreError) -> JSON? {
        try checkKind(node, knowing: Self.indexMembers.union(["searchIndexOptions"]))
        let group = try Self.group(node)
        let scope = try Self.scope(node)
        let fields = try node.required("fields").elements()
        guard (1...Limits.indexFields).contains(fields.count) else {
            throw node.failure("an index has 1 to \(Limits.indexFields) fields")
        }
        for field in fields { try checkKind(field, knowing: Self.fieldMembers) }
        if try Self.hasMember("searchConfig", in: fields) {
            note(node, "the text index on \(group) is skipped: text searches are not offered yet; the rest of the file is deployed")
            return nil
        }
        if try node.optional("searchIndexOptions") != nil {
            throw node.failure("\"searchIndexOptions\" belongs to a text index, but no field has a \"searchConfig\"")
        }
        let isVector = try Self.hasMember("vectorConfig", in: fields)
        let columns = isVector ? try Self.vector(fields) : try fields.map { (field) throws(FirestoreError) in try Self.column(field) }
        let index = JSON.object([
            ("collectionGroup", .string(group)), ("queryScope", .string(scope)), ("fields", .array(columns)),
        ])
        if isVector { return index }
        let entry = JSON.object([("indexes", .array([index]))])
        let definition: IndexDefinition?
        do throws(FirestoreError) {
            definition = try IndexConfiguration(json: entry.bytes()).definitions.first
        } catch {
            throw .invalidArgument(error.message, at: error.location?.replacing("indexes[0]", with: node.place))
        }
        guard let definition else {
            note(node, "the index on \(group) by __name__ alone is skipped: names are in order, both ways, without an index")
            return nil
        }
        guard definition.isListed else {
            throw node.failure("an index of one field is a setting of the field; move it to \"fieldOverrides\"")
        }
        return index
    }

    private static func hasMember(_ name: String, in nodes: [JSONNode]) throws(FirestoreError) -> Bool {
        for node in nodes where try node.optional(name) != nil { return true }
        return false
    }

    /// `order`, `arrayConfig`, or `mode` of older versions, in the words of today.
    private static func column(_ node: JSONNode) throws(FirestoreError) -> JSON {
        let path = try node.required("fieldPath").fieldPath().canonical
        let mode = try mode(node)
        return .object([("fieldPath", .string(path)), mode])
    }

    private static func mode(_ node: JSONNode) throws(FirestoreError) -> (name: String, value: JSON) {
        var found: (name: String, value: JSON)?
        for name in ["order", "arrayConfig", "mode"] {
            guard let member = try node.optional(name) else { continue }
            guard found == nil else { throw node.failure("a field has one of order, arrayConfig and vectorConfig") }
            switch (name, try member.string()) {
            case ("order", "ASCENDING"), ("mode", "ASCENDING"): found = ("order", .string("ASCENDING"))
            case ("order", "DESCENDING"), ("mode", "DESCENDING"): found = ("order", .string("DESCENDING"))
            case ("arrayConfig", "CONTAINS"), ("mode", "ARRAY_CONTAINS"): found = ("arrayConfig", .string("CONTAINS"))
            default: throw member.failure(name == "arrayConfig" ? "CONTAINS is expected" : "ASCENDING or DESCENDING is expected")
            }
        }
        guard let found else { throw node.failure("an order or an arrayConfig is missing") }
        return found
    }

    /// The vector is the last field; __name__ may stand in front of it.
    private static func vector(_ fields: [JSONNode]) throws(FirestoreError) -> [JSON] {
        var columns: [JSON] = []
        for (index, field) in fields.enumerated() {
            guard let config = try field.optional("vectorConfig") else {
                columns.append(try column(field))
                continue
            }
            guard index == fields.count - 1 else { throw field.failure("the field with the vector is the last one") }
            for name in ["order", "arrayConfig", "mode"] where try field.optional(name) != nil {
                throw field.failure("a field has one of order, arrayConfig and vectorConfig")
            }
            try config.allow(only: "dimension", "flat")
            let dimension = try config.required("dimension").integer()
            guard (1...Int64(Limits.vectorDimensions)).contains(dimension) else {
                throw config.failure("a vector has 1 to \(Limits.vectorDimensions) dimensions")
            }
            let path = try field.required("fieldPath").fieldPath().canonical
            let vector = JSON.object([("dimension", .number(dimension)), ("flat", .object([]))])
            columns.append(.object([("fieldPath", .string(path)), ("vectorConfig", vector)]))
        }
        return columns
    }

    // MARK: Fields

    private mutating func override(_ node: JSONNode) throws(FirestoreError) -> JSON {
        try checkKind(node, knowing: ["collectionGroup", "collectionId", "fieldPath", "ttl", "indexes"])
        let path = try Self.fieldPath(node)
        let group = try Self.group(node, takesDefault: path == "*")
        var entries: [JSON] = []
        for entry in try node.required("indexes").elements() {
            try checkKind(entry, knowing: Self.fieldMembers.subtracting(["fieldPath"]).union(["queryScope"]))
            if try entry.optional("searchConfig") != nil {
                note(entry, "the text index on \(group) is skipped: text searches are not offered yet; the rest of the file is deployed")
                continue
            }
            let scope = ("queryScope", JSON.string(try Self.scope(entry)))
            let read: JSON
            if try entry.optional("vectorConfig") != nil {
                var field = entry.json
                field.setMember("fieldPath", .string(path))
                var column = try Self.vector([JSONNode(field, place: entry.place)])[0]
                column.setMember("fieldPath", nil)
                column.setMember("queryScope", scope.1)
                read = column
            } else {
                read = .object([try Self.mode(entry), scope])
            }
            guard !entries.contains(where: { $0.text() == read.text() }) else {
                note(entry, "the index of \(group).\(path) is in the file already, and is deployed once")
                continue
            }
            entries.append(read)
        }
        let ttl = try node.optional("ttl").map { (node) throws(FirestoreError) in try node.boolean() }
        if ttl == true, path == "*" { throw node.failure("documents expire by one field of a collection group; * is not one") }
        return .members([
            ("collectionGroup", .string(group)), ("fieldPath", .string(path)), ("ttl", ttl.map { .boolean($0) }),
            ("indexes", .array(entries)),
        ])
    }

    /// As the admin API names it: `*` for all fields.
    private static func fieldPath(_ node: JSONNode) throws(FirestoreError) -> String {
        let member = try node.required("fieldPath")
        if case .string("*") = member.json { return "*" }
        let path = try member.fieldPath()
        guard !path.isDocumentID else { throw member.failure("__name__ is indexed always, and has no settings") }
        return path.canonical
    }

    // MARK: Parts of both

    /// The group whose settings apply to every group without its own.
    private static let defaultGroup = "__default__"

    /// `collectionId` is the name that older versions wrote.
    private static func group(_ node: JSONNode, takesDefault: Bool = false) throws(FirestoreError) -> String {
        let (old, new) = (try node.optional("collectionId"), try node.optional("collectionGroup"))
        if let old, new != nil { throw old.failure("\"collectionId\" is the old name of \"collectionGroup\"; keep one of them") }
        guard let id = old ?? new else { throw node.failure("\"collectionGroup\" is missing") }
        let text = try id.string()
        if takesDefault, equalUTF8(text, defaultGroup) { return text }
        do throws(FirestoreError) { try PathCheck.collectionID(text) } catch { throw id.failure(error.message) }
        return text
    }

    private static func scope(_ node: JSONNode) throws(FirestoreError) -> String {
        guard let scope = try node.optional("queryScope") else { return "COLLECTION" }
        switch try scope.string() {
        case "COLLECTION", "QUERY_SCOPE_UNSPECIFIED": return "COLLECTION"
        case "COLLECTION_GROUP": return "COLLECTION_GROUP"
        default: throw scope.failure("COLLECTION or COLLECTION_GROUP is expected")
        }
    }

    /// Members that say what kind of an index it is. Those that ask for another kind than there is here are mistakes.
    private mutating func checkKind(_ node: JSONNode, knowing known: Set<String>) throws(FirestoreError) {
        for (name, member) in try node.entries() where !known.contains(name) {
            if case .null = member.json { continue }
            switch name {
            case "unique", "multikey":
                if try member.boolean() {
                    throw member.failure(
                        name == "unique" ? "unique indexes are not offered here" : "multikey indexes are those of MongoDB compatibility")
                }
            case "apiScope":
                guard ["ANY_API", "API_SCOPE_UNSPECIFIED"].contains(try member.string()) else {
                    throw member.failure("only indexes for Firestore's API are offered here")
                }
            case "density":
                let density = try member.string()
                if density != "SPARSE_ALL" {
                    note(member, "density \(density) has no effect: indexes are SPARSE_ALL here, with the documents that have all fields")
                }
            case "shardCount": note(member, "shardCount has no effect: indexes are not sharded here")
            case "name", "state":
                note(member, "\"\(name)\" has no effect: it is what a server answers")
            default:
                throw member.failure("the member \"\(name)\" is not known here; remove it to deploy the rest")
            }
        }
    }

    // MARK: Comparing

    /// What an index is, in a text that is equal for equal ones: `group books(tags array, year desc)`. Takes entries of the file and
    /// messages of the admin API.
    static func text(of index: JSON, group: String? = nil) -> String {
        let isGroup = index.text("queryScope") == "COLLECTION_GROUP"
        return "\(isGroup ? "group " : "")\(group ?? index.text("collectionGroup"))(\(columns(of: index)))"
    }

    /// `author, year desc, tags array`, and the name where its direction is not that of the last field.
    static func columns(of index: JSON) -> String {
        var fields = index.elements("fields")
        let isVector = fields.contains { $0["vectorConfig"] != nil }
        // __name__ has the direction of the last field, unless it says otherwise; with a vector it means nothing.
        if let name = fields.last, name.text("fieldPath") == "__name__", !isVector {
            let isDescending = fields.dropLast().last?.text("order") == "DESCENDING"
            if fields.count > 1, (name.text("order") == "DESCENDING") == isDescending { fields.removeLast() }
        }
        return fields.filter { !isVector || $0.text("fieldPath") != "__name__" }.map { field in
            let path = field.text("fieldPath")
            if let vector = field["vectorConfig"] { return "\(path) vector \(vector.integer("dimension"))" }
            if !field.text("arrayConfig").isEmpty { return path + " array" }
            return field.text("order") == "DESCENDING" ? path + " desc" : path
        }.joined(separator: ", ")
    }
}
