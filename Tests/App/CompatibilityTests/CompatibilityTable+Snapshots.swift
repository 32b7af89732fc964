// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

private let n = FieldPath(["n"])
private let behaviors: [ServerTimestampBehavior] = [.none, .estimate, .previous]

private func isIterator<Iterator: AsyncIteratorProtocol>(_: Iterator.Type) -> Bool { true }

extension CompatibilityTable {
    /// api.md 7.1.
    static func documentSnapshot() -> CompatibilitySection {
        var section = CompatibilitySection("7.1", "DocumentSnapshot")
        section.row(.core, "var exists: Bool { get }") { here in
            let exists: Bool = try await here.letters.document("a").getDocument().exists
            let missing = try await here.fresh().getDocument()
            return exists && !missing.exists
        }
        section.row(.core, "var reference: DocumentReference { get }") { here in
            let reference: DocumentReference = try await here.letters.document("a").getDocument().reference
            return reference == here.letters.document("a")
        }
        section.row(.core, "var documentID: String { get }") { here in
            let id: String = try await here.letters.document("a").getDocument().documentID
            return id == "a"
        }
        section.row(.core, "var metadata: SnapshotMetadata { get }", differs: "embedded, both flags are always false: a snapshot shows committed data") { here in
            let metadata: SnapshotMetadata = try await here.letters.document("a").getDocument().metadata
            return !metadata.isFromCache && !metadata.hasPendingWrites
        }
        section.row(.core, "func data() -> [String : Any]?") { here in
            let data: [String: Any]? = try await here.letters.document("a").getDocument().data()
            let missing = try await here.fresh().getDocument()
            return data?["n"] as? Int == 1 && missing.data() == nil
        }
        section.row(
            .core,
            "func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String : Any]?",
            differs: "with the embedded database timestamps are never pending, so every behaviour gives the stored one"
        ) { here in
            let snapshot = try await here.stamped()
            let values = behaviors.map { behavior -> Timestamp? in
                let data: [String: Any]? = snapshot.data(with: behavior)
                return data?["at"] as? Timestamp
            }
            return values[0] != nil && Set(values).count == 1
        }
        section.row(.core, "func get(_ field: Any) -> Any?") { here in
            let snapshot = try await here.fresh(["a": ["b": 1]]).getDocument()
            let value: Any? = snapshot.get("a.b")
            return value as? Int == 1 && snapshot.get(FieldPath(["a", "b"])) as? Int == 1 && snapshot.get("c") == nil
        }
        section.row(
            .core,
            "func get(_ field: Any, serverTimestampBehavior: ServerTimestampBehavior) -> Any?",
            differs: "with the embedded database timestamps are never pending, so every behaviour gives the stored one"
        ) { here in
            let snapshot = try await here.stamped()
            let values = behaviors.map { snapshot.get("at", serverTimestampBehavior: $0) as? Timestamp }
            return values[0] != nil && Set(values).count == 1
        }
        section.row(.core, "subscript(key: Any) -> Any? { get }") { here in
            let snapshot = try await here.letters.document("a").getDocument()
            let value: Any? = snapshot["n"]
            return value as? Int == 1 && snapshot[n] as? Int == 1
        }
        section.row(
            .core,
            "func data<T: Decodable>(as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none, decoder: Firestore.Decoder = .init()) throws -> T"
        ) { here in
            let snapshot = try await here.letters.document("a").getDocument()
            let missing = try await here.fresh().getDocument()
            let short: Letter = try snapshot.data(as: Letter.self)
            let long = try snapshot.data(as: Letter.self, with: .estimate, decoder: Firestore.Decoder())
            return try short.n == 1 && long.n == 1 && missing.data(as: Letter?.self) == nil
        }
        return section
    }

    /// api.md 7.2.
    static func queryDocumentSnapshot() -> CompatibilitySection {
        var section = CompatibilitySection("7.2", "QueryDocumentSnapshot")
        section.row(.core, "func data() -> [String : Any]") { here in
            let document: QueryDocumentSnapshot = try await here.letters.getDocuments().documents[0]
            let data: [String: Any] = document.data()
            return data["n"] as? Int == 1
        }
        section.row(
            .core,
            "func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String : Any]",
            differs: "with the embedded database timestamps are never pending, so every behaviour gives the stored one"
        ) { here in
            let document: QueryDocumentSnapshot = try await here.letters.getDocuments().documents[0]
            let data: [String: Any] = document.data(with: .estimate)
            return data["n"] as? Int == 1
        }
        return section
    }

    /// api.md 7.3.
    static func querySnapshot() -> CompatibilitySection {
        var section = CompatibilitySection("7.3", "QuerySnapshot")
        section.row(.core, "var query: Query { get }") { here in
            let query: Query = try await here.letters.limit(to: 1).getDocuments().query
            return query == here.letters.limit(to: 1)
        }
        section.row(.core, "var metadata: SnapshotMetadata { get }", differs: "embedded, both flags are always false: a snapshot shows committed data") { here in
            let metadata: SnapshotMetadata = try await here.letters.getDocuments().metadata
            return !metadata.isFromCache && !metadata.hasPendingWrites
        }
        section.row(.core, "var isEmpty: Bool { get }") { here in
            let isEmpty: Bool = try await here.freshCollection().getDocuments().isEmpty
            return isEmpty
        }
        section.row(.core, "var count: Int { get }") { here in
            let count: Int = try await here.letters.getDocuments().count
            return count == 3
        }
        section.row(.core, "var documents: [QueryDocumentSnapshot] { get }") { here in
            let documents: [QueryDocumentSnapshot] = try await here.letters.getDocuments().documents
            return documents.map(\.documentID) == ["a", "b", "c"]
        }
        section.row(.core, "var documentChanges: [DocumentChange] { get }") { here in
            let changes: [DocumentChange] = try await here.letters.getDocuments().documentChanges
            return changes.map(\.document.documentID) == ["a", "b", "c"] && changes.allSatisfy { $0.type == .added }
        }
        section.row(
            .full,
            "func documentChanges(includeMetadataChanges: Bool) -> [DocumentChange]",
            differs: "on a listener without metadata changes a message is logged and changes of data are returned, instead of an exception"
        ) { here in
            let changes: [DocumentChange] = try await here.letters.getDocuments().documentChanges(includeMetadataChanges: true)
            return changes.count == 3
        }
        return section
    }

    /// api.md 7.4.
    static func documentChange() -> CompatibilitySection {
        var section = CompatibilitySection("7.4", "DocumentChange")
        section.row(.core, "var type: DocumentChangeType { get }") { here in
            let types: [DocumentChangeType] = try await here.changes().map(\.type)
            return types == [.added, .modified, .removed]
        }
        section.row(.core, "var document: QueryDocumentSnapshot { get }") { here in
            let documents: [QueryDocumentSnapshot] = try await here.changes().map(\.document)
            return documents.map { $0["n"] as? Int } == [1, 2, 2]
        }
        section.row(.full, "var oldIndex: UInt { get }") { here in
            let indexes: [UInt] = try await here.changes().map(\.oldIndex)
            return indexes == [UInt(NSNotFound), 0, 0]
        }
        section.row(.full, "var newIndex: UInt { get }") { here in
            let indexes: [UInt] = try await here.changes().map(\.newIndex)
            return indexes == [0, 0, UInt(NSNotFound)]
        }
        section.row(.core, "@frozen enum DocumentChangeType : Int { case added = 0, modified = 1, removed = 2 }") { here in
            let type: DocumentChangeType = try await here.changes()[1].type
            switch type {
            case .added, .removed: return false
            case .modified: return [DocumentChangeType.added, .modified, .removed].map(\.rawValue) == [0, 1, 2]
            }
        }
        return section
    }

    /// api.md 7.5.
    static func listening() -> CompatibilitySection {
        var section = CompatibilitySection("7.5", "SnapshotMetadata, ListenerRegistration, SnapshotListenOptions, sources")
        section.row(.core, "SnapshotMetadata.hasPendingWrites: Bool { get }", differs: "embedded, always false: a snapshot shows committed data") { here in
            let snapshot: DocumentSnapshot? = await here.first { here.letters.document("a").addSnapshotListener(includeMetadataChanges: true, listener: $0) }
            let hasPendingWrites: Bool? = snapshot?.metadata.hasPendingWrites
            return hasPendingWrites == false
        }
        section.row(.core, "SnapshotMetadata.isFromCache: Bool { get }", differs: "embedded, always false, with `source: .cache` too: the database is the authority") { here in
            let isFromCache: Bool = try await here.letters.document("a").getDocument(source: .cache).metadata.isFromCache
            return isFromCache == !Mode.can(.oneAuthority)
        }
        section.row(.core, "protocol ListenerRegistration : NSObjectProtocol { func remove() }") { here in
            let ref = here.fresh()
            let told = Collector<Bool>()
            let registration: any ListenerRegistration = ref.addSnapshotListener { snapshot, _ in told.append(snapshot?.exists ?? false) }
            let object: any NSObjectProtocol = registration
            _ = await told.first(1)
            registration.remove()
            registration.remove()
            try await ref.setData([:])
            let later: DocumentSnapshot? = await here.first { ref.addSnapshotListener($0) }
            return told.elements == [false] && later?.exists == true && object.isEqual(registration)
        }
        section.row(.full, "SnapshotListenOptions.init()") { _ in
            let options = SnapshotListenOptions()
            return options.source == .default && !options.includeMetadataChanges
        }
        section.row(.full, "SnapshotListenOptions.source: ListenSource { get }") { _ in
            let source: ListenSource = SnapshotListenOptions().withSource(.cache).source
            return source == .cache
        }
        section.row(.full, "SnapshotListenOptions.includeMetadataChanges: Bool { get }") { _ in
            let includeMetadataChanges: Bool = SnapshotListenOptions().withIncludeMetadataChanges(true).includeMetadataChanges
            return includeMetadataChanges
        }
        section.row(.full, "func withIncludeMetadataChanges(_ includeMetadataChanges: Bool) -> SnapshotListenOptions") { _ in
            let options = SnapshotListenOptions()
            let changed: SnapshotListenOptions = options.withIncludeMetadataChanges(true)
            return changed.includeMetadataChanges && !options.includeMetadataChanges
        }
        section.row(.full, "func withSource(_ source: ListenSource) -> SnapshotListenOptions") { _ in
            let options = SnapshotListenOptions().withIncludeMetadataChanges(true)
            let changed: SnapshotListenOptions = options.withSource(.cache)
            return changed.source == .cache && changed.includeMetadataChanges && options.source == .default
        }
        section.row(.full, "enum ListenSource : UInt { case `default` = 0, cache = 1 }", differs: "embedded, both give the same: server and cache are one") { _ in
            [ListenSource.default, .cache].map(\.rawValue) == [0 as UInt, 1]
        }
        section.row(.core, "enum FirestoreSource : UInt { case `default` = 0, server = 1, cache = 2 }", differs: "embedded, all give the same: server and cache are one") { _ in
            [FirestoreSource.default, .server, .cache].map(\.rawValue) == [0 as UInt, 1, 2]
        }
        section.row(.core, "enum ServerTimestampBehavior : Int { case none = 0, estimate = 1, previous = 2 }", differs: "with the embedded database all give the same, because timestamps are never pending") { _ in
            [ServerTimestampBehavior.none, .estimate, .previous].map(\.rawValue) == [0, 1, 2]
        }
        return section
    }

    /// api.md 7.6.
    static func sequences() -> CompatibilitySection {
        var section = CompatibilitySection("7.6", "Asynchronous sequences")
        section.row(
            .full,
            "struct DocumentReference.DocumentSnapshotsSequence : AsyncSequence",
            differs: "a slow loop receives the newest state instead of a growing queue of old ones"
        ) { here in
            let sequence = DocumentReference.DocumentSnapshotsSequence(here.letters.document("a"), includeMetadataChanges: false)
            let general: any AsyncSequence<DocumentSnapshot, any Error> = sequence
            for try await snapshot in sequence { return snapshot.exists && general is DocumentReference.DocumentSnapshotsSequence }
            return false
        }
        section.row(.full, "struct DocumentReference.DocumentSnapshotsSequence.Iterator : AsyncIteratorProtocol") { here in
            var iterator: DocumentReference.DocumentSnapshotsSequence.Iterator = here.letters.document("a").snapshots.makeAsyncIterator()
            let snapshot: DocumentSnapshot? = try await iterator.next()
            return snapshot?.exists == true && isIterator(DocumentReference.DocumentSnapshotsSequence.Iterator.self)
        }
        section.row(.full, "struct Query.QuerySnapshotsSequence : AsyncSequence", differs: "a slow loop receives the newest state, with all changes since the last one") { here in
            let sequence = Query.QuerySnapshotsSequence(here.letters, includeMetadataChanges: false)
            let general: any AsyncSequence<QuerySnapshot, any Error> = sequence
            for try await snapshot in sequence { return snapshot.count == 3 && general is Query.QuerySnapshotsSequence }
            return false
        }
        section.row(.full, "struct Query.QuerySnapshotsSequence.Iterator : AsyncIteratorProtocol") { here in
            var iterator: Query.QuerySnapshotsSequence.Iterator = here.letters.snapshots.makeAsyncIterator()
            let snapshot: QuerySnapshot? = try await iterator.next()
            return snapshot?.count == 3 && isIterator(Query.QuerySnapshotsSequence.Iterator.self)
        }
        return section
    }
}
