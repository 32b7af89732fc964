// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

extension CompatibilityTable {
    /// api.md 4.1.
    static func documentReference() -> CompatibilitySection {
        var section = CompatibilitySection("4.1", "DocumentReference")
        section.row(.core, "var documentID: String { get }") { here in
            let id: String = here.db.document("a/b/c/d").documentID
            return id == "d"
        }
        section.row(.core, "var parent: CollectionReference { get }") { here in
            let parent: CollectionReference = here.db.document("a/b/c/d").parent
            return parent.path == "a/b/c"
        }
        section.row(.core, "var firestore: Firestore { get }") { here in
            let db: Firestore = here.db.document("a/b").firestore
            return db === here.db
        }
        section.row(.core, "var path: String { get }") { here in
            let path: String = here.db.document("/a/b/").path
            return path == "a/b"
        }
        section.row(.core, "func collection(_ collectionPath: String) -> CollectionReference") { here in
            let collection: CollectionReference = here.db.document("a/b").collection("c/d/e")
            return collection.path == "a/b/c/d/e"
        }
        section.row(.core, "func setData(_ documentData: [String : Any])") { here in
            let ref = here.fresh()
            synchronously { ref.setData(["n": 1]) }
            return try await here.numbers(ref) == ["n": 1]
        }
        section.row(.core, "func setData(_ documentData: [String : Any], merge: Bool)") { here in
            let ref = try await here.fresh(["n": 1, "m": 1])
            synchronously { ref.setData(["n": 2], merge: true) }
            return try await here.numbers(ref) == ["n": 2, "m": 1]
        }
        section.row(.full, "func setData(_ documentData: [String : Any], mergeFields: [Any])") { here in
            let ref = try await here.fresh(["n": 1, "m": 1])
            synchronously { ref.setData(["n": 2, "m": 2], mergeFields: ["n"]) }
            return try await here.numbers(ref) == ["n": 2, "m": 1]
        }
        section.row(
            .core,
            "func setData(_ documentData: [String : Any], completion: ((Error?) -> Void)? = nil)",
            "func setData(_ documentData: [String : Any]) async throws"
        ) { here in
            let ref = here.fresh()
            try await ref.setData(["n": 1])
            let error = await told { ref.setData(["n": 2], completion: $0) }
            let stored = try await here.numbers(ref)
            return error == nil && stored == ["n": 2]
        }
        section.row(
            .core,
            "func setData(_ documentData: [String : Any], merge: Bool, completion: ((Error?) -> Void)? = nil)",
            "func setData(_ documentData: [String : Any], merge: Bool) async throws"
        ) { here in
            let ref = try await here.fresh(["k": 0])
            try await ref.setData(["n": 1], merge: true)
            let error = await told { ref.setData(["m": 2], merge: true, completion: $0) }
            let stored = try await here.numbers(ref)
            return error == nil && stored == ["k": 0, "n": 1, "m": 2]
        }
        section.row(
            .full,
            "func setData(_ documentData: [String : Any], mergeFields: [Any], completion: ((Error?) -> Void)? = nil)",
            "func setData(_ documentData: [String : Any], mergeFields: [Any]) async throws"
        ) { here in
            let ref = try await here.fresh(["k": 0])
            try await ref.setData(["n": 1, "k": 1], mergeFields: ["n"])
            let error = await told { ref.setData(["m": 2, "k": 2], mergeFields: [FieldPath(["m"])], completion: $0) }
            let stored = try await here.numbers(ref)
            return error == nil && stored == ["k": 0, "n": 1, "m": 2]
        }
        section.row(.core, "func updateData(_ fields: [AnyHashable : Any])") { here in
            let ref = try await here.fresh(["n": 1, "m": 1])
            synchronously { ref.updateData(["n": 2]) }
            return try await here.numbers(ref) == ["n": 2, "m": 1]
        }
        section.row(
            .core,
            "func updateData(_ fields: [AnyHashable : Any], completion: ((Error?) -> Void)? = nil)",
            "func updateData(_ fields: [AnyHashable : Any]) async throws"
        ) { here in
            let ref = try await here.fresh(["n": 1])
            try await ref.updateData([FieldPath(["m"]): 1])
            let error = await told { ref.updateData(["n": 2], completion: $0) }
            let missing = await failure { try await here.fresh().updateData(["n": 1]) }
            let stored = try await here.numbers(ref)
            return error == nil && stored == ["n": 2, "m": 1] && isFailure(missing, .notFound)
        }
        section.row(.core, "func delete()") { here in
            let ref = try await here.fresh(["n": 1])
            synchronously { ref.delete() }
            try await here.db.waitForPendingWrites()
            return try await !ref.getDocument().exists
        }
        section.row(.core, "func delete(completion: ((Error?) -> Void)? = nil)", "func delete() async throws") { here in
            let ref = try await here.fresh(["n": 1])
            try await ref.delete()
            let error = await told { ref.delete(completion: $0) }
            let snapshot = try await ref.getDocument()
            return error == nil && !snapshot.exists
        }
        section.row(.core, "func getDocument(completion: @escaping (DocumentSnapshot?, Error?) -> Void)", "func getDocument() async throws -> DocumentSnapshot") { here in
            let snapshot: DocumentSnapshot = try await here.letters.document("a").getDocument()
            let missing: DocumentSnapshot? = await completion { done in here.fresh().getDocument { snapshot, _ in done(snapshot) } }
            return snapshot.exists && missing?.exists == false
        }
        section.row(
            .core,
            "func getDocument(source: FirestoreSource, completion: @escaping (DocumentSnapshot?, Error?) -> Void)",
            "func getDocument(source: FirestoreSource) async throws -> DocumentSnapshot",
            differs: "embedded, server and cache are one: every source gives the same"
        ) { here in
            let ref = here.letters.document("a")
            for source in [FirestoreSource.default, .server, .cache] {
                let snapshot = try await ref.getDocument(source: source)
                let again: DocumentSnapshot? = await completion { done in ref.getDocument(source: source) { snapshot, _ in done(snapshot) } }
                if !snapshot.exists || again != snapshot { return false }
            }
            return true
        }
        section.row(.core, "func addSnapshotListener(_ listener: @escaping (DocumentSnapshot?, Error?) -> Void) -> ListenerRegistration") { here in
            let snapshot: DocumentSnapshot? = await here.first { here.letters.document("a").addSnapshotListener($0) }
            return snapshot?["n"] as? Int == 1
        }
        section.row(
            .core,
            "func addSnapshotListener(includeMetadataChanges: Bool, listener: @escaping (DocumentSnapshot?, Error?) -> Void) -> ListenerRegistration",
            differs: "embedded, there are no metadata-only changes"
        ) { here in
            let snapshot: DocumentSnapshot? = await here.first { here.letters.document("a").addSnapshotListener(includeMetadataChanges: true, listener: $0) }
            return snapshot?["n"] as? Int == 1
        }
        section.row(
            .full,
            "func addSnapshotListener(options: SnapshotListenOptions, listener: @escaping (DocumentSnapshot?, Error?) -> Void) -> ListenerRegistration",
            differs: "embedded, every source gives the same and there are no metadata-only changes"
        ) { here in
            let options = SnapshotListenOptions().withSource(.cache)
            let snapshot: DocumentSnapshot? = await here.first { here.letters.document("a").addSnapshotListener(options: options, listener: $0) }
            return snapshot?["n"] as? Int == 1
        }
        section.row(
            .core,
            "func getDocument<T: Decodable>(as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none, decoder: Firestore.Decoder = .init(), "
                + "source: FirestoreSource = .default, completion: @escaping (Result<T, Error>) -> Void)"
        ) { here in
            let ref = here.letters.document("a")
            let short: Result<Letter, any Error> = await completion { ref.getDocument(as: Letter.self, completion: $0) }
            let long: Result<Letter, any Error> = await completion {
                ref.getDocument(as: Letter.self, with: .estimate, decoder: Firestore.Decoder(), source: .server, completion: $0)
            }
            let missing: Result<Letter?, any Error> = await completion { here.fresh().getDocument(as: Letter?.self, completion: $0) }
            return try short.get().n == 1 && long.get().n == 1 && missing.get() == nil
        }
        section.row(
            .core,
            "func getDocument<T: Decodable>(as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none, decoder: Firestore.Decoder = .init(), "
                + "source: FirestoreSource = .default) async throws -> T"
        ) { here in
            let ref = here.letters.document("a")
            let short: Letter = try await ref.getDocument(as: Letter.self)
            let long = try await ref.getDocument(as: Letter.self, with: .previous, decoder: Firestore.Decoder(), source: .cache)
            return short.n == 1 && long.n == 1
        }
        section.row(.core, "func setData<T: Encodable>(from value: T, encoder: Firestore.Encoder = Firestore.Encoder(), completion: ((Error?) -> Void)? = nil) throws") { here in
            let ref = here.fresh()
            try ref.setData(from: Letter(n: 1))
            let error = await told { try ref.setData(from: Letter(n: 2), encoder: Firestore.Encoder(), completion: $0) }
            let stored = try await here.numbers(ref)
            return error == nil && stored == ["n": 2]
        }
        section.row(
            .core,
            "func setData<T: Encodable>(from value: T, merge: Bool, encoder: Firestore.Encoder = Firestore.Encoder(), completion: ((Error?) -> Void)? = nil) throws"
        ) { here in
            let ref = try await here.fresh(["m": 1])
            try ref.setData(from: Letter(n: 1), merge: true)
            let error = await told { try ref.setData(from: Letter(n: 2), merge: true, encoder: Firestore.Encoder(), completion: $0) }
            let stored = try await here.numbers(ref)
            return error == nil && stored == ["n": 2, "m": 1]
        }
        section.row(
            .core,
            "func setData<T: Encodable>(from value: T, mergeFields: [Any], encoder: Firestore.Encoder = Firestore.Encoder(), completion: ((Error?) -> Void)? = nil) throws"
        ) { here in
            let ref = try await here.fresh(["m": 1])
            try ref.setData(from: ["n": 1, "m": 2], mergeFields: ["n"])
            let error = await told { try ref.setData(from: ["n": 2, "m": 3], mergeFields: ["n"], encoder: Firestore.Encoder(), completion: $0) }
            let stored = try await here.numbers(ref)
            return error == nil && stored == ["n": 2, "m": 1]
        }
        section.row(.full, "var snapshots: DocumentReference.DocumentSnapshotsSequence { get }") { here in
            let sequence: DocumentReference.DocumentSnapshotsSequence = here.letters.document("a").snapshots
            for try await snapshot in sequence { return snapshot.exists }
            return false
        }
        section.row(
            .full,
            "func snapshots(includeMetadataChanges: Bool) -> DocumentReference.DocumentSnapshotsSequence",
            differs: "embedded, there are no metadata-only changes"
        ) { here in
            let sequence: DocumentReference.DocumentSnapshotsSequence = here.letters.document("a").snapshots(includeMetadataChanges: true)
            for try await snapshot in sequence { return snapshot.exists }
            return false
        }
        section.row(.core, "extension DocumentReference : Codable") { here in
            let ref = here.letters.document("a")
            let stored = try Firestore.Encoder().encode(["to": ref])
            let decoded = try Firestore.Decoder().decode([String: DocumentReference].self, from: stored, in: ref)
            let refused = await failure { try JSONEncoder().encode(["to": ref]) }
            return stored["to"] as? DocumentReference == ref && decoded == ["to": ref] && refused is FirestoreEncodingError
        }
        section.row(.core, "extension DocumentReference : DocumentIDWrappable") { here in
            struct Entry: Codable {
                @DocumentID var ref: DocumentReference?
            }
            let ref = here.letters.document("a")
            let wrapped = try DocumentReference.wrap(ref)
            let entry = try await ref.getDocument(as: Entry.self)
            return wrapped == ref && entry.ref == ref
        }
        return section
    }

    /// api.md 4.2.
    static func collectionReference() -> CompatibilitySection {
        var section = CompatibilitySection("4.2", "CollectionReference")
        section.row(.core, "var collectionID: String { get }") { here in
            let id: String = here.db.collection("a/b/c").collectionID
            return id == "c"
        }
        section.row(.core, "var parent: DocumentReference? { get }") { here in
            let parent: DocumentReference? = here.db.collection("a/b/c").parent
            return parent?.path == "a/b" && here.db.collection("a").parent == nil
        }
        section.row(.core, "var path: String { get }") { here in
            let path: String = here.db.collection("a/b/c").path
            return path == "a/b/c"
        }
        section.row(.core, "func document() -> DocumentReference") { here in
            let ref: DocumentReference = here.letters.document()
            return ref.documentID.count == 20 && ref.documentID.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        section.row(.core, "func document(_ documentPath: String) -> DocumentReference") { here in
            let ref: DocumentReference = here.letters.document("a/b/c")
            return ref.path == "letters/a/b/c"
        }
        section.row(.core, "func addDocument(data: [String : Any]) -> DocumentReference") { here in
            let collection = here.freshCollection()
            let add: () -> DocumentReference = { collection.addDocument(data: ["n": 1]) }
            return try await here.numbers(add()) == ["n": 1]
        }
        section.row(.core, "func addDocument(data: [String : Any], completion: ((Error?) -> Void)? = nil) -> DocumentReference") { here in
            let collection = here.freshCollection()
            let error = await told { collection.addDocument(data: ["n": 1], completion: $0) }
            let add: () -> DocumentReference = { collection.addDocument(data: ["n": 1], completion: nil) }
            let stored = try await here.numbers(add())
            return error == nil && stored == ["n": 1]
        }
        section.row(.core, "@discardableResult func addDocument(data: [String : Any]) async throws -> DocumentReference") { here in
            let ref: DocumentReference = try await here.freshCollection().addDocument(data: ["n": 1])
            return try await here.numbers(ref) == ["n": 1]
        }
        section.row(
            .core,
            "@discardableResult func addDocument<T: Encodable>(from value: T, encoder: Firestore.Encoder = Firestore.Encoder(), completion: ((Error?) -> Void)? = nil) throws -> DocumentReference"
        ) { here in
            let collection = here.freshCollection()
            let ref: DocumentReference = try collection.addDocument(from: Letter(n: 1))
            let error = await told { try collection.addDocument(from: Letter(n: 2), encoder: Firestore.Encoder(), completion: $0) }
            let stored = try await here.numbers(ref)
            return error == nil && stored == ["n": 1]
        }
        return section
    }
}
