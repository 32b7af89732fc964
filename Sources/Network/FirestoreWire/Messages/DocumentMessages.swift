// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

package struct GetDocumentRequest: Sendable {
    package var database: DatabaseID
    package var key: DocumentKey
    /// The requested fields; nil for all.
    package var mask: [FieldPathSegments]?
    package var consistency: ConsistencySelector

    package init(
        database: DatabaseID, key: DocumentKey, mask: [FieldPathSegments]? = nil, consistency: ConsistencySelector = .latest
    ) {
        self.database = database
        self.key = key
        self.mask = mask
        self.consistency = consistency
    }
}

/// A single document: the answer to GetDocument, CreateDocument and UpdateDocument.
package struct DocumentResponse: Sendable {
    package var database: DatabaseID
    package var document: Document

    package init(database: DatabaseID, document: Document) {
        self.database = database
        self.document = document
    }
}

package struct ListDocumentsRequest: Sendable {
    package var database: DatabaseID
    package var parent: DocumentKey?
    /// Empty for the documents of all collections directly below the parent.
    package var collectionID: String
    /// 0 if the server chooses.
    package var pageSize: Int
    package var pageToken: String
    /// As in `a desc, b`; empty for the order by name.
    package var orderBy: String
    package var mask: [FieldPathSegments]?
    package var consistency: ConsistencySelector
    package var showMissing: Bool

    package init(
        database: DatabaseID, parent: DocumentKey?, collectionID: String, pageSize: Int = 0, pageToken: String = "",
        orderBy: String = "", mask: [FieldPathSegments]? = nil, consistency: ConsistencySelector = .latest,
        showMissing: Bool = false
    ) {
        self.database = database
        self.parent = parent
        self.collectionID = collectionID
        self.pageSize = pageSize
        self.pageToken = pageToken
        self.orderBy = orderBy
        self.mask = mask
        self.consistency = consistency
        self.showMissing = showMissing
    }
}

/// The answer to ListDocuments.
///
/// Answers in which nothing has a name are decoded with a database of empty ids, as are all others here.
package struct ListDocumentsResponse: Sendable {
    package enum Entry: Sendable {
        case document(Document)
        /// A missing document with documents below it (DM-11): a name without fields and times.
        case missing(DocumentKey)
    }

    package var database: DatabaseID
    package var entries: [Entry]
    /// Empty on the last page.
    package var nextPageToken: String

    package init(database: DatabaseID, entries: [Entry], nextPageToken: String) {
        self.database = database
        self.entries = entries
        self.nextPageToken = nextPageToken
    }
}

package struct CreateDocumentRequest: Sendable {
    package var database: DatabaseID
    package var parent: DocumentKey?
    package var collectionID: String
    /// Empty if the server chooses (DM-14).
    package var documentID: String
    package var fields: FieldBytes
    package var mask: [FieldPathSegments]?

    package init(
        database: DatabaseID, parent: DocumentKey?, collectionID: String, documentID: String, fields: FieldBytes,
        mask: [FieldPathSegments]? = nil
    ) {
        self.database = database
        self.parent = parent
        self.collectionID = collectionID
        self.documentID = documentID
        self.fields = fields
        self.mask = mask
    }
}

package struct UpdateDocumentRequest: Sendable {
    package var database: DatabaseID
    /// The document, the update mask and the precondition as one write (WR-10).
    package var write: Write
    package var mask: [FieldPathSegments]?

    package init(database: DatabaseID, write: Write, mask: [FieldPathSegments]? = nil) {
        self.database = database
        self.write = write
        self.mask = mask
    }
}

package struct DeleteDocumentRequest: Sendable {
    package var database: DatabaseID
    package var write: Write

    package init(database: DatabaseID, write: Write) {
        self.database = database
        self.write = write
    }
}

package struct BatchGetDocumentsRequest: Sendable {
    package var database: DatabaseID
    /// In the requested order, possibly with repetitions (QR-50).
    package var keys: [DocumentKey]
    package var mask: [FieldPathSegments]?
    package var consistency: ConsistencySelector

    package init(
        database: DatabaseID, keys: [DocumentKey], mask: [FieldPathSegments]? = nil,
        consistency: ConsistencySelector = .latest
    ) {
        self.database = database
        self.keys = keys
        self.mask = mask
        self.consistency = consistency
    }
}

package struct BatchGetDocumentsResponse: Sendable {
    package enum Outcome: Sendable {
        case found(Document)
        case missing(DocumentKey)
        /// The message that only contains the id of a transaction.
        case none
    }

    package var database: DatabaseID
    package var outcome: Outcome
    package var transaction: ByteSlice?
    package var readTime: DocumentVersion?

    package init(database: DatabaseID, outcome: Outcome, transaction: ByteSlice? = nil, readTime: DocumentVersion?) {
        self.database = database
        self.outcome = outcome
        self.transaction = transaction
        self.readTime = readTime
    }
}

package struct ListCollectionIDsRequest: Sendable {
    package var database: DatabaseID
    package var parent: DocumentKey?
    package var pageSize: Int
    package var pageToken: String
    package var readTime: TimestampValue?

    package init(
        database: DatabaseID, parent: DocumentKey?, pageSize: Int = 0, pageToken: String = "", readTime: TimestampValue? = nil
    ) {
        self.database = database
        self.parent = parent
        self.pageSize = pageSize
        self.pageToken = pageToken
        self.readTime = readTime
    }
}

package struct ListCollectionIDsMessage: Sendable {
    package var ids: [String]
    package var nextPageToken: String

    package init(ids: [String], nextPageToken: String) {
        self.ids = ids
        self.nextPageToken = nextPageToken
    }
}

/// `google.protobuf.Empty`
package struct EmptyMessage: Sendable {
    package init() {}
}
