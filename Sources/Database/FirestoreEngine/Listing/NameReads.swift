// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreStorage

/// Ids of the collections directly below a document.
struct CollectionIDRead: ReadOperation {
    let parent: DocumentKey?
    let after: String?
    let limit: Int
    let database: DatabaseID

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> [String] {
        try snapshot.collectionIDs(under: parent, after: after, limit: limit)
    }

    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> [String] {
        let earlier = try EarlierNames(at: time, below: parent, in: snapshot)
        return try snapshot.collectionIDs(under: parent, after: after, limit: limit, earlier: earlier)
    }

    func dependency(of answer: [String]) -> ReadDependency { .everything(below: parent, database) }
}

/// Documents of a collection, including missing ones that have documents below them.
struct DocumentKeyRead: ReadOperation {
    let collection: CollectionPath
    let after: DocumentKey?
    let limit: Int
    let database: DatabaseID

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> [DocumentKey] {
        try snapshot.documentKeys(in: collection, after: after, limit: limit)
    }

    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> [DocumentKey] {
        let earlier = try EarlierNames(at: time, below: collection.parent, in: snapshot)
        return try snapshot.documentKeys(in: collection, after: after, limit: limit, earlier: earlier)
    }

    func dependency(of answer: [DocumentKey]) -> ReadDependency { .everything(below: collection.parent, database) }
}

/// Where to split the result of a collection group query.
struct PartitionRead: ReadOperation {
    let scope: QueryScope
    let count: Int
    let database: DatabaseID

    func answer(from snapshot: some StoreSnapshot) throws(FirestoreError) -> [DocumentKey] { try snapshot.cuts(of: scope, count: count) }

    /// Any key is a valid cut; only the evenness of the parts depends on the moment.
    func answer(from snapshot: some StoreSnapshot, at time: DocumentVersion) throws(FirestoreError) -> [DocumentKey] {
        try answer(from: snapshot)
    }

    func dependency(of answer: [DocumentKey]) -> ReadDependency { .documents([]) }
}

extension ReadDependency {
    /// More than a list of names relies on, which is only the existence of documents.
    fileprivate static func everything(below parent: DocumentKey?, _ database: DatabaseID) -> ReadDependency {
        let query = StructuredQuery(scope: .kindless(under: parent, allDescendants: true))
        return .query(QueryDependency(query, result: [], database: database, isWhole: true))
    }
}
