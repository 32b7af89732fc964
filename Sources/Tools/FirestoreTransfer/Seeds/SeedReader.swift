// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Reads the documents of objects in a form of other tools.
struct SeedReader {
    let format: SeedFormat
    private let database: DatabaseID
    /// The collection that was named; nil if documents have paths.
    private let collection: CollectionPath?
    private var reader: TypedJSONReader

    init(_ format: SeedFormat, _ form: DocumentForm, database: DatabaseID) {
        self.format = format
        self.database = database
        if case .fields(let collection, _) = form { self.collection = collection } else { collection = nil }
        reader = TypedJSONReader(database: database)
    }

    /// The documents of an object that begins in a line. Errors name the line, and the place in the object.
    mutating func documents(_ text: UnsafeRawBufferPointer, line: Int) throws(FirestoreError) -> [TransferredDocument] {
        do throws(FirestoreError) {
            try check()
            let object = JSONNode(try JSON(text))
            switch format {
            case .rest: return try answers(object)
            case .importExport:
                // The export of one document has its fields beside its collections, and not its path.
                try object.allow(only: Self.below)
                _ = try object.required(Self.below)
                return try collections(object, of: "")
            case .importExportCollection: return try members(object, of: collection?.path ?? "")
            case .exportImport: return try exported(object)
            case .backfire: return []
            }
        } catch {
            throw error.inside("line \(line)")
        }
    }

    /// Refuses what cannot be read as it was asked for.
    private func check() throws(FirestoreError) {
        switch format {
        case .rest, .importExport, .exportImport:
            guard collection != nil else { return }
            throw FirestoreError(
                .invalidArgument, "this is the form of \(format.name), whose documents have their paths",
                cause: TransferReason.collectionOfExport)
        case .importExportCollection:
            guard collection == nil else { return }
            throw FirestoreError(
                .invalidArgument, "these are the documents of one collection in the form of \(format.name), without its name",
                cause: TransferReason.collectionOfSeed)
        case .backfire:
            throw FirestoreError(
                .invalidArgument, "this is the form of \(format.name), which is not read here", cause: TransferReason.formOfBackfire)
        }
    }

    // MARK: REST

    private func answers(_ object: JSONNode) throws(FirestoreError) -> [TransferredDocument] {
        if let list = try object.optional("documents") {
            return try list.elements().map { (node) throws(FirestoreError) in try document(node) }
        }
        if object.json["name"] != nil { return [try document(object)] }
        for name in ["document", "found"] {
            if let found = try object.optional(name) { return [try document(found)] }
        }
        if let error = try object.optional("error") { throw error.failure("the answer ended with an error, so it is not complete") }
        guard try object.entries().isEmpty || SeedFormat.isREST(object.json) else {
            throw object.failure("this is neither a document nor an answer of the REST API")
        }
        return []
    }

    private func document(_ node: JSONNode) throws(FirestoreError) -> TransferredDocument {
        let name = try node.required("name")
        let text = try name.string()
        let found = Array(text.utf8).withUnsafeBytes { bytes in
            ReferenceName(bytes).map { ($0.key, String(decoding: bytes.dropLast($0.path.count), as: UTF8.self)) }
        }
        guard let (key, source) = found else {
            throw name.failure("the full name of a document is expected: projects/…/databases/…/documents/…")
        }
        let fields = try FieldMap(try node.optional("fields"))
        let own = FieldMap(fields.entries.map { ($0.name, moved($0.value, from: source)) })
        return TransferredDocument(key: key, fields: FieldBytes(own))
    }

    /// References into the database of the document refer to the database of the import.
    private func moved(_ value: Value, from source: String) -> Value {
        switch value {
        case .reference(let name) where name.utf8.starts(with: source.utf8):
            .reference(database.name(of: DocumentKey(trusted: String(decoding: name.utf8.dropFirst(source.utf8.count), as: UTF8.self))))
        case .array(let elements): .array(elements.map { moved($0, from: source) })
        case .map(let map): .map(FieldMap(map.entries.map { ($0.name, moved($0.value, from: source)) }))
        default: value
        }
    }

    // MARK: node-firestore-import-export

    private static let below = "__collections__"

    private mutating func collections(_ object: JSONNode, of parent: String) throws(FirestoreError) -> [TransferredDocument] {
        var documents: [TransferredDocument] = []
        for (name, node) in try object.optional(Self.below)?.entries() ?? [] {
            documents += try members(node, of: parent.isEmpty ? name : parent + "/" + name)
        }
        return documents
    }

    /// The documents of a collection by their ids, and what is below them. A document without fields that has something below it does not
    /// exist.
    private mutating func members(_ node: JSONNode, of collection: String) throws(FirestoreError) -> [TransferredDocument] {
        var documents: [TransferredDocument] = []
        for (id, node) in try node.entries() {
            let path = collection + "/" + id
            var fields = try node.entries().filter { $0.name != Self.below }.map { ($0.name, $0.node.json) }
            let inner = try collections(node, of: path)
            if !fields.isEmpty || inner.isEmpty {
                fields = try fields.map { (field) throws(FirestoreError) in (field.0, try Self.marked(field.1, node)) }
                documents.append(try document(fields, at: path, node))
            }
            documents += inner
        }
        return documents
    }

    /// `{"__datatype__": "timestamp", "value": {"_seconds": 1, "_nanoseconds": 0}}` as typed JSON.
    private static func marked(_ json: JSON, _ node: JSONNode) throws(FirestoreError) -> JSON {
        switch json {
        case .array(let elements): return .array(try elements.map { (element) throws(FirestoreError) in try marked(element, node) })
        case .object(let members):
            if case .string(let type)? = json["__datatype__"], let value = json["value"] {
                guard let read = special(type, value) else {
                    throw node.failure("a value of the type \"\(type)\" is not understood")
                }
                return read
            }
            return map(try members.map { (member) throws(FirestoreError) in (member.name, try marked(member.value, node)) })
        default: return json
        }
    }

    private static func special(_ type: String, _ value: JSON) -> JSON? {
        switch (type, value) {
        case ("timestamp", _): timestamp(value)
        case ("geopoint", _): point(value)
        case ("documentReference", .string(let path)): .object([("$reference", .string(path))])
        default: nil
        }
    }

    // MARK: firestore-export-import

    private mutating func exported(_ object: JSONNode) throws(FirestoreError) -> [TransferredDocument] {
        var documents: [TransferredDocument] = []
        for (collection, node) in try object.entries() {
            for (id, node) in try node.entries() {
                let (path, entries) = (collection + "/" + id, try node.entries())
                let below = entries.first { $0.name == "subCollection" && $0.node.json.isObject }
                let own = entries.filter { below == nil || $0.name != "subCollection" }
                if !own.isEmpty || below == nil {
                    documents.append(try document(own.map { ($0.name, Self.unmarked($0.node.json)) }, at: path, node))
                }
                // Its collections are named by their whole paths.
                if let below { documents += try exported(below.node) }
            }
        }
        return documents
    }

    /// Times and points are what Google's library writes of them.
    private static func unmarked(_ json: JSON) -> JSON {
        switch json {
        case .array(let elements): .array(elements.map(unmarked))
        case .object(let members):
            timestamp(json) ?? point(json) ?? map(members.map { ($0.name, unmarked($0.value)) })
        default: json
        }
    }

    // MARK: Values

    /// nil if it is not exactly `{"_seconds": 1, "_nanoseconds": 0}`.
    private static func timestamp(_ json: JSON) -> JSON? {
        guard case .object(let members) = json, members.count == 2, let seconds = (try? JSONNode(json).optional("_seconds"))??.json,
            let nanoseconds = (try? JSONNode(json).optional("_nanoseconds"))??.json,
            let whole = try? JSONNode(seconds).integer(), let rest = (try? JSONNode(nanoseconds).integer()).flatMap({ Int32(exactly: $0) })
        else {
            return nil
        }
        let time = TimestampValue(seconds: whole, nanoseconds: rest)
        return time.isValid ? .object([("$timestamp", .string(time.text))]) : nil
    }

    /// nil if it is not exactly `{"_latitude": 1, "_longitude": 2}`.
    private static func point(_ json: JSON) -> JSON? {
        guard case .object(let members) = json, members.count == 2, case .number(let latitude)? = json["_latitude"],
            case .number(let longitude)? = json["_longitude"]
        else {
            return nil
        }
        return .object([("$geopoint", .object([("latitude", .number(latitude)), ("longitude", .number(longitude))]))])
    }

    /// A map that typed JSON does not take for something else.
    private static func map(_ members: [(name: String, value: JSON)]) -> JSON {
        let map = JSON.object(members)
        guard members.count == 1, members[0].name.utf8.first == UInt8(ascii: "$") else { return map }
        return .object([("$map", map)])
    }

    private mutating func document(
        _ fields: [(String, JSON)], at path: String, _ node: JSONNode
    ) throws(FirestoreError) -> TransferredDocument {
        do throws(FirestoreError) {
            let key = try PathCheck.documentKey(path)
            return TransferredDocument(key: key, fields: try reader.fields(JSON.object(fields.map { ($0.0, $0.1) }).bytes()))
        } catch {
            // Its own location is in a text that was made here.
            throw FirestoreError(error.code, error.message, at: node.place)
        }
    }
}
