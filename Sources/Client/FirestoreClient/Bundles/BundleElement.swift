// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// One element of a bundle (`google.firestore.bundle.BundleElement`).
package enum BundleElement {
    case metadata(BundleMetadata)
    case query(NamedQuery)
    case documentMetadata(BundledDocument)
    case document(Document)

    package init(_ json: JSON, in database: DatabaseID) throws(FirestoreError) {
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
package struct BundleMetadata {
    package let id: String
    package let createTime: DocumentVersion
    package let totalDocuments: Int
    /// The bytes of all elements but this one.
    package let totalBytes: Int

    package init(_ node: JSONNode) throws(FirestoreError) {
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
package struct BundledDocument {
    package let key: DocumentKey
    package let readTime: DocumentVersion
    package let exists: Bool
    /// The named queries of the bundle that had it in their results.
    package let queries: [String]

    package init(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) {
        key = try DocumentKey(try node.required("name"), in: database)
        let time = try node.optional("readTime")
        readTime = DocumentVersion(
            microseconds: try time.map { (node) throws(FirestoreError) in
                try TimestampValue(node).microsecondsSince1970
            } ?? 0)
        exists = try node.optional("exists")?.boolean() ?? false
        var queries: [String] = []
        for name in try node.optional("queries")?.elements() ?? [] { queries.append(try name.string()) }
        self.queries = queries
    }
}

/// A named query of a bundle.
package struct NamedQuery {
    package let name: String
    package let query: ClientQuery
    /// When its results were read; `.none` if the bundle does not say.
    package let readTime: DocumentVersion
    /// The JSON of the query.
    package let json: JSON

    package init(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) {
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
        let time = try node.optional("readTime")
        readTime = DocumentVersion(
            microseconds: try time.map { (node) throws(FirestoreError) in try TimestampValue(node).microsecondsSince1970 } ?? 0)
    }

    /// `projects/P/databases/D/documents`, or a document below it.
    private static func parent(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) -> DocumentKey? {
        let root = database.documentsPrefix.utf8.dropLast()
        return try node.string().utf8.elementsEqual(root) ? nil : DocumentKey(node, in: database)
    }
}
