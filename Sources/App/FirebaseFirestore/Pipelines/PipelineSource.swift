// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension Firestore {
    /// The beginning of a pipeline: choose what it reads.
    public func pipeline() -> PipelineSource { PipelineSource(firestore: self) }
}

/// Makes pipelines: each method is the first stage of one.
///
/// A path that does not name a collection or a document, and a reference into another database, make the execution fail with
/// `invalidArgument`.
public struct PipelineSource: Sendable {
    let firestore: Firestore

    /// The documents directly in a collection.
    ///
    /// - Parameters:
    ///   - path: The slash-separated path of the collection.
    ///   - forceIndex: The id of the index to use, or `primary` to read the whole collection. Leave it out to let the database choose.
    public func collection(_ path: String, forceIndex: String? = nil) -> Pipeline {
        let path = Result { () throws(FirestoreError) in try PathCheck.collectionPath(path).path }
        return start(.collection, [ExpressionContent(source: path)], forceIndex)
    }

    /// The documents directly in a collection.
    ///
    /// - Parameters:
    ///   - coll: The collection.
    ///   - forceIndex: The id of the index to use, or `primary` to read the whole collection. Leave it out to let the database choose.
    public func collection(_ coll: CollectionReference, forceIndex: String? = nil) -> Pipeline {
        start(.collection, [ExpressionContent(source: coll.location.map(\.path), of: coll.firestore, in: firestore)], forceIndex)
    }

    /// The documents of all collections with an id, at any depth.
    ///
    /// - Parameters:
    ///   - collectionId: The last segment of the paths of the collections.
    ///   - forceIndex: The id of the index to use, or `primary` to read all of them. Leave it out to let the database choose.
    public func collectionGroup(_ collectionId: String, forceIndex: String? = nil) -> Pipeline {
        let id: ExpressionContent
        do throws(FirestoreError) {
            try PathCheck.collectionID(collectionId)
            id = ExpressionContent(Value.string(collectionId))
        } catch {
            id = ExpressionContent(error)
        }
        return start(.collectionGroup, [ExpressionContent(Value.reference("")), id], forceIndex)
    }

    /// Every document of the database.
    public func database() -> Pipeline { start(.database, [], nil) }

    /// The documents of a list that exist.
    public func documents(_ docs: [DocumentReference]) -> Pipeline {
        start(.documents, docs.map { ExpressionContent(source: $0.location.map(\.path), of: $0.firestore, in: firestore) }, nil)
    }

    /// The documents of a list of paths that exist.
    public func documents(_ paths: [String]) -> Pipeline {
        let paths = paths.map { path in Result { () throws(FirestoreError) in try PathCheck.documentKey(path).path } }
        return start(.documents, paths.map { ExpressionContent(source: $0) }, nil)
    }

    /// Rows that are written out: a value or an expression for each name.
    ///
    /// ```swift
    /// db.pipeline().literals([["name": "Ridge Walk"], ["name": "Lake Loop"]]).insert(collection: "trails")
    /// ```
    /// Beyond the Apple SDK.
    public func literals(_ rows: [[String: any Sendable]]) -> Pipeline {
        let rows = rows.map { row in
            ExpressionContent(entries: row.map { ($0.key, ExpressionContent(literal: $0.value)) })
        }
        return start(.literals, rows, nil)
    }

    func start(_ kind: PipelineStageKind, _ arguments: [ExpressionContent], _ forceIndex: String?) -> Pipeline {
        Pipeline(firestore: firestore, content: PipelineContent(database: firestore.databaseID))
            .adding(kind, arguments, options: [("force_index", forceIndex.map { ExpressionContent(Value.string($0)) })])
    }
}

extension ExpressionContent {
    /// A reference as sources contain it: without the name of the database, and with a leading slash.
    init(source path: Result<String, FirestoreError>) {
        switch path {
        case .success(let path): self.init(Value.reference("/\(path)"))
        case .failure(let error): self.init(error)
        }
    }

    /// Such a reference, made from an object that must belong to the database.
    init(source path: Result<String, FirestoreError>, of other: Firestore, in firestore: Firestore?) {
        if case .success(let path) = path, let firestore, other.databaseID != firestore.databaseID {
            self.init(FirestoreError.invalidArgument("the reference belongs to another database", at: path))
        } else {
            self.init(source: path)
        }
    }
}
