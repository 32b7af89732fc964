// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One element of a bundle (`google.firestore.bundle.BundleElement`).
enum BundleElement {
    case metadata(BundleMetadata)
    case query(NamedQuery)
    case documentMetadata(BundledDocument)
    case document(Document)

    init(_ json: JSON, in database: DatabaseID) throws(FirestoreError) {
        let (kind, node) = try JSONNode(json).only()
        switch kind {
        case "metadata": self = .metadata(try BundleMetadata(node))
        case "namedQuery": self = .query(try NamedQuery(node, in: database))
        case "documentMetadata": self = .documentMetadata(try BundledDocument(node, in: database))
        case "document": self = .document(try Document(node, in: database))
        default: throw .invalidArgument("\"\(kind)\" is not an element of a bundle")
        }
    }
}

/// The metadata of a bundle, its first element.
struct BundleMetadata {
    let id: String
    let createTime: DocumentVersion
    let totalDocuments: Int
    /// The bytes of all elements but this one.
    let totalBytes: Int

    init(_ node: JSONNode) throws(FirestoreError) {
        id = try node.required("id").string()
        createTime = DocumentVersion(microseconds: try TimestampValue(node.required("createTime")).microsecondsSince1970)
        let version = try node.required("version")
        guard try version.integer() == 1 else { throw version.failure("only version 1 of bundles is supported") }
        totalDocuments = try Self.count(node, "totalDocuments")
        totalBytes = try Self.count(node, "totalBytes")
    }

    private static func count(_ node: JSONNode, _ name: String) throws(FirestoreError) -> Int {
        guard let number = try node.optional(name) else { return 0 }
        guard let count = Int(exactly: try number.integer()), count >= 0 else {
            throw number.failure("a count must not be negative")
        }
        return count
    }
}

/// The metadata of a document: its state when the bundle was made. The document itself follows if it existed.
struct BundledDocument {
    let key: DocumentKey
    let readTime: DocumentVersion
    let exists: Bool

    init(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) {
        key = try DocumentKey(try node.required("name"), in: database)
        let time = try node.optional("readTime")
        readTime = DocumentVersion(
            microseconds: try time.map { (node) throws(FirestoreError) in
                try TimestampValue(node).microsecondsSince1970
            } ?? 0)
        exists = try node.optional("exists")?.boolean() ?? false
    }
}

/// A named query of a bundle.
struct NamedQuery {
    let name: String
    let query: ClientQuery
    /// The JSON of the query.
    let json: JSON

    init(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) {
        json = node.json
        name = try node.required("name").string()
        let bundled = try node.required("bundledQuery")
        var query = ClientQuery(
            try StructuredQuery(
                try bundled.required("structuredQuery"), under: try Self.parent(bundled.required("parent"), in: database)))
        if let limit = try bundled.optional("limitType") {
            switch limit.json {
            case .string("FIRST"), .number("0"): break
            case .string("LAST"), .number("1"): query.limitsToLast = true
            default: throw limit.failure("FIRST or LAST is expected")
            }
        }
        self.query = query
    }

    /// `projects/P/databases/D/documents`, or a document below it.
    private static func parent(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) -> DocumentKey? {
        let root = database.documentsPrefix.utf8.dropLast()
        return try node.string().utf8.elementsEqual(root) ? nil : DocumentKey(node, in: database)
    }
}
