// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

extension CompatibilityTable {
    private static let comparing = "a transaction that reads, compares and writes"

    /// What the original does not have (MP-93).
    static func safeWrites() -> CompatibilitySection {
        var section = CompatibilitySection("30.1", "Conditions, and writes of what has changed")
        section.row(
            .extra, "var createTime: Timestamp? { get }", "var updateTime: Timestamp? { get }",
            instead: "a field with `FieldValue.serverTimestamp()`"
        ) { here in
            let ref = try await here.fresh(["n": 1])
            try await here.db.waitForPendingWrites()
            let snapshot = try await ref.getDocument()
            let missing = try await here.db.collection("letters").document("none").getDocument(source: .default).updateTime
            return snapshot.createTime != nil && snapshot.updateTime == snapshot.createTime && missing == nil
        }
        section.row(
            .extra, "static let exists: Precondition", "static let missing: Precondition",
            "static func updatedAt(_ time: Timestamp) -> Precondition",
            "func setData(_ documentData: [String : Any], merge: Bool = false, precondition: Precondition) async throws",
            "func updateData(_ fields: [AnyHashable : Any], precondition: Precondition) async throws",
            "func delete(precondition: Precondition) async throws", instead: comparing
        ) { here in
            let ref = here.fresh()
            try await ref.setData(["n": 1], precondition: .missing)
            try await ref.updateData(["n": 2], precondition: .exists)
            guard let time = try await ref.getDocument(source: .server).updateTime else { return false }
            try await ref.setData(["n": 3], merge: true, precondition: .updatedAt(time))
            let refused = await failure { try await ref.delete(precondition: .updatedAt(time)) }
            return isFailure(refused, .failedPrecondition)
        }
        section.row(
            .extra, "func setData(_ documentData: [String : Any], merge: Bool = false, precondition: Precondition, completion: ((Error?) -> Void)?) -> WriteReceipt",
            "func updateData(_ fields: [AnyHashable : Any], precondition: Precondition, completion: ((Error?) -> Void)?) -> WriteReceipt",
            "func delete(precondition: Precondition, completion: ((Error?) -> Void)?) -> WriteReceipt",
            "func setData<T: Encodable>(from value: T, merge: Bool = false, precondition: Precondition, encoder: Firestore.Encoder = Firestore.Encoder(), completion: ((Error?) -> Void)? = nil) throws -> WriteReceipt",
            "func updateData<T: Encodable>(from value: T, precondition: Precondition, encoder: Firestore.Encoder = Firestore.Encoder(), completion: ((Error?) -> Void)? = nil) throws -> WriteReceipt",
            instead: comparing
        ) { here in
            let ref = here.fresh()
            let refused = await told { ref.updateData(["n": 1], precondition: .exists, completion: $0) }
            let made = await told { ref.setData(["n": 1], precondition: .missing, completion: $0) }
            try await ref.setData(from: Letter(n: 2), precondition: .exists).acknowledged
            try await ref.updateData(from: Letter(n: 3), precondition: .exists).acknowledged
            let deleted = await told { ref.delete(precondition: .exists, completion: $0) }
            return isFailure(refused, .notFound) && made == nil && deleted == nil
        }
        section.row(
            .extra, "func setData(_ data: [String : Any], forDocument document: DocumentReference, merge: Bool = false, precondition: Precondition) -> WriteBatch",
            "func setData<T: Encodable>(from value: T, forDocument doc: DocumentReference, merge: Bool = false, precondition: Precondition, encoder: Firestore.Encoder = Firestore.Encoder()) throws -> WriteBatch",
            "func updateData(_ fields: [AnyHashable : Any], forDocument document: DocumentReference, precondition: Precondition) -> WriteBatch",
            "func updateData<T: Encodable>(from value: T, forDocument doc: DocumentReference, precondition: Precondition, encoder: Firestore.Encoder = Firestore.Encoder()) throws -> WriteBatch",
            "func deleteDocument(_ document: DocumentReference, precondition: Precondition) -> WriteBatch", instead: comparing
        ) { here in
            let (ref, other) = (here.fresh(), try await here.fresh(["n": 1]))
            try await here.db.batch().setData(["n": 1], forDocument: ref, precondition: .missing).deleteDocument(other, precondition: .exists).commit()
            let batch = here.db.batch()
            try batch.setData(from: Letter(n: 2), forDocument: ref, precondition: .exists).updateData(["n": 3], forDocument: ref, precondition: .exists)
                .updateData(from: Letter(n: 4), forDocument: other, precondition: .exists)
            let refused = await failure { try await batch.commit() }
            return isFailure(refused, .notFound)
        }
        section.row(
            .extra,
            "func update<T: Codable>(as type: T.Type, conflict: UpdateConflict = .retry(5), "
                + "unchanged: UnchangedUpdate = .skipped, decoder: Firestore.Decoder = Firestore.Decoder(), encoder: Firestore.Encoder = Firestore.Encoder(), _ change: (inout T) throws -> Void) async throws -> T",
            "static func retry(_ count: Int) -> UpdateConflict", "static let fail: UpdateConflict", "static let lastWriterWins: UpdateConflict",
            instead: "a transaction that decodes the document, changes the value, and updates the fields that have changed by name"
        ) { here in
            let ref = try await here.fresh(["n": 1, "m": 1])
            for conflict in [UpdateConflict.retry(1), .fail, .lastWriterWins] { try await ref.update(as: Letter.self, conflict: conflict) { $0.n += 1 } }
            let letter: Letter = try await ref.update(as: Letter.self, unchanged: .checked, decoder: Firestore.Decoder(), encoder: Firestore.Encoder()) { _ in }
            return letter.n == 4
        }
        section.row(
            .extra,
            "func update<T: Codable>(as type: T.Type, "
                + "unchanged: UnchangedUpdate = .skipped, decoder: Firestore.Decoder = Firestore.Decoder(), encoder: Firestore.Encoder = Firestore.Encoder(), _ change: (inout T) throws -> Void) async throws -> T",
            instead: "a transaction that reads the document again and compares it with the snapshot"
        ) { here in
            let ref = try await here.fresh(["n": 1])
            let snapshot = try await ref.getDocument(source: .server)
            let letter: Letter = try await snapshot.update(as: Letter.self) { $0.n += 1 }
            let refused = await failure { try await snapshot.update(as: Letter.self) { $0.n += 1 } }
            return letter.n == 2 && isFailure(refused, .failedPrecondition)
        }
        section.row(
            .extra,
            "func updateData<T: Encodable>(from old: T, to new: T, precondition: Precondition? = nil, "
                + "unchanged: UnchangedUpdate = .skipped, encoder: Firestore.Encoder = Firestore.Encoder(), completion: ((Error?) -> Void)? = nil) throws -> WriteReceipt",
            "enum UnchangedUpdate { case skipped, checked }", instead: "`updateData(_:)` with the fields that have changed"
        ) { here in
            let ref = try await here.fresh(["n": 1, "m": 1])
            try await ref.updateData(from: Letter(n: 1), to: Letter(n: 2)).acknowledged
            let stored = try await here.numbers(ref)
            let time = try await ref.getDocument(source: .server).updateTime
            try await ref.updateData(from: Letter(n: 2), to: Letter(n: 2), precondition: time.map(Precondition.updatedAt), unchanged: .checked).acknowledged
            return stored == ["n": 2, "m": 1]
        }
        section.row(
            .extra,
            "func update<T: Encodable>(_ document: DocumentReference, from old: T, to new: T, precondition: Precondition? = nil, "
                + "unchanged: UnchangedUpdate = .skipped, encoder: Firestore.Encoder = Firestore.Encoder()) throws -> WriteBatch",
            "func update<T: Encodable>(_ document: DocumentReference, from old: T, to new: T, encoder: Firestore.Encoder = Firestore.Encoder()) throws -> Transaction",
            instead: "`updateData(_:forDocument:)` with the fields that have changed"
        ) { here in
            let ref = try await here.fresh(["n": 1, "m": 1])
            let batch = here.db.batch()
            let same: WriteBatch = try batch.update(ref, from: Letter(n: 1), to: Letter(n: 2))
            try await batch.commit()
            try await here.transact { transaction in
                let same: Transaction? = try? transaction.update(ref, from: Letter(n: 2), to: Letter(n: 3))
                _ = same
            }
            let time = try await ref.getDocument(source: .server).updateTime
            let checked = here.db.batch()
            try checked.update(ref, from: Letter(n: 3), to: Letter(n: 3), precondition: time.map(Precondition.updatedAt), unchanged: .checked)
            try await checked.commit()
            return same === batch && time != nil
        }
        return section
    }
}
