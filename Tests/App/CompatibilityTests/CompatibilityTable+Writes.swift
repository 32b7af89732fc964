// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport

extension CompatibilityTable {
    /// api.md 8.1.
    static func writeBatch() -> CompatibilitySection {
        var section = CompatibilitySection("8.1", "WriteBatch")
        section.row(.core, "func setData(_ data: [String : Any], forDocument document: DocumentReference) -> WriteBatch") { here in
            let (ref, batch) = (here.fresh(), here.db.batch())
            let same: WriteBatch = batch.setData(["n": 1], forDocument: ref)
            try await batch.commit()
            let stored = try await here.numbers(ref)
            return same === batch && stored == ["n": 1]
        }
        section.row(.core, "func setData(_ data: [String : Any], forDocument document: DocumentReference, merge: Bool) -> WriteBatch") { here in
            let (ref, batch) = (try await here.fresh(["m": 1]), here.db.batch())
            let same: WriteBatch = batch.setData(["n": 1], forDocument: ref, merge: true)
            try await batch.commit()
            let stored = try await here.numbers(ref)
            return same === batch && stored == ["n": 1, "m": 1]
        }
        section.row(.full, "func setData(_ data: [String : Any], forDocument document: DocumentReference, mergeFields: [Any]) -> WriteBatch") { here in
            let (ref, batch) = (try await here.fresh(["m": 1]), here.db.batch())
            let same: WriteBatch = batch.setData(["n": 1, "m": 2], forDocument: ref, mergeFields: ["n"])
            try await batch.commit()
            let stored = try await here.numbers(ref)
            return same === batch && stored == ["n": 1, "m": 1]
        }
        section.row(.core, "func updateData(_ fields: [AnyHashable : Any], forDocument document: DocumentReference) -> WriteBatch") { here in
            let (ref, batch) = (try await here.fresh(["m": 1]), here.db.batch())
            let same: WriteBatch = batch.updateData(["n": 1], forDocument: ref)
            try await batch.commit()
            let stored = try await here.numbers(ref)
            return same === batch && stored == ["n": 1, "m": 1]
        }
        section.row(.core, "func deleteDocument(_ document: DocumentReference) -> WriteBatch") { here in
            let (ref, batch) = (try await here.fresh(["m": 1]), here.db.batch())
            let same: WriteBatch = batch.deleteDocument(ref)
            try await batch.commit()
            let snapshot = try await ref.getDocument()
            return same === batch && !snapshot.exists
        }
        section.row(.core, "func commit()") { here in
            let ref = here.fresh()
            synchronously { here.db.batch().setData(["n": 1], forDocument: ref).commit() }
            return try await here.numbers(ref) == ["n": 1]
        }
        section.row(.core, "func commit(completion: ((Error?) -> Void)? = nil)", "func commit() async throws", differs: "any number of writes up to 10 MiB") { here in
            let (ref, missing) = (here.fresh(), here.fresh())
            try await here.db.batch().setData(["n": 1], forDocument: ref).commit()
            let batch = here.db.batch().setData(["n": 2], forDocument: ref).updateData(["n": 2], forDocument: missing)
            let refused = await told { batch.commit(completion: $0) }
            let many = here.db.batch()
            for _ in 0..<501 { many.setData([:], forDocument: here.fresh()) }
            let error = await told { many.commit(completion: $0) }
            let stored = try await here.numbers(ref)
            return isFailure(refused, .notFound) && error == nil && stored == ["n": 1]
        }
        section.row(
            .core,
            "@discardableResult func setData<T: Encodable>(from value: T, forDocument doc: DocumentReference, encoder: Firestore.Encoder = Firestore.Encoder()) throws -> WriteBatch"
        ) { here in
            let (ref, batch) = (here.fresh(), here.db.batch())
            try batch.setData(from: Letter(n: 1), forDocument: ref)
            let same: WriteBatch = try batch.setData(from: Letter(n: 2), forDocument: ref, encoder: Firestore.Encoder())
            try await batch.commit()
            let stored = try await here.numbers(ref)
            return same === batch && stored == ["n": 2]
        }
        section.row(
            .core,
            "@discardableResult func setData<T: Encodable>(from value: T, forDocument doc: DocumentReference, merge: Bool, encoder: Firestore.Encoder = Firestore.Encoder()) throws -> WriteBatch"
        ) { here in
            let (ref, batch) = (try await here.fresh(["m": 1]), here.db.batch())
            try batch.setData(from: Letter(n: 1), forDocument: ref, merge: true)
            let same: WriteBatch = try batch.setData(from: Letter(n: 2), forDocument: ref, merge: true, encoder: Firestore.Encoder())
            try await batch.commit()
            let stored = try await here.numbers(ref)
            return same === batch && stored == ["n": 2, "m": 1]
        }
        section.row(
            .full,
            "@discardableResult func setData<T: Encodable>(from value: T, forDocument doc: DocumentReference, mergeFields: [Any], encoder: Firestore.Encoder = Firestore.Encoder()) throws -> WriteBatch"
        ) { here in
            let (ref, batch) = (try await here.fresh(["m": 1]), here.db.batch())
            let same: WriteBatch = try batch.setData(from: ["n": 2, "m": 2], forDocument: ref, mergeFields: ["n"], encoder: Firestore.Encoder())
            try await batch.commit()
            let stored = try await here.numbers(ref)
            return same === batch && stored == ["n": 2, "m": 1]
        }
        return section
    }

    /// api.md 8.2.
    static func transaction() -> CompatibilitySection {
        var section = CompatibilitySection("8.2", "Transaction")
        section.row(.core, "func getDocument(_ document: DocumentReference) throws -> DocumentSnapshot") { here in
            let (ref, missing) = (try await here.fresh(["n": 1]), here.fresh())
            try await here.transact { transaction in
                let snapshot: DocumentSnapshot = try transaction.getDocument(ref)
                let other = try transaction.getDocument(missing)
                transaction.setData(["n": (snapshot["n"] as? Int ?? 0) + (other.exists ? 5 : 1)], forDocument: ref)
            }
            return try await here.numbers(ref) == ["n": 2]
        }
        section.row(.core, "func setData(_ data: [String : Any], forDocument document: DocumentReference) -> Transaction") { here in
            let ref = here.fresh()
            try await here.transact { transaction in
                let same: Transaction = transaction.setData(["n": 1], forDocument: ref)
                same.setData(["n": 2], forDocument: ref)
            }
            return try await here.numbers(ref) == ["n": 2]
        }
        section.row(.core, "func setData(_ data: [String : Any], forDocument document: DocumentReference, merge: Bool) -> Transaction") { here in
            let ref = try await here.fresh(["m": 1])
            try await here.transact { transaction in
                let same: Transaction = transaction.setData(["n": 1], forDocument: ref, merge: true)
                same.setData(["n": 2], forDocument: ref, merge: true)
            }
            return try await here.numbers(ref) == ["n": 2, "m": 1]
        }
        section.row(.full, "func setData(_ data: [String : Any], forDocument document: DocumentReference, mergeFields: [Any]) -> Transaction") { here in
            let ref = try await here.fresh(["m": 1])
            try await here.transact { transaction in
                let same: Transaction = transaction.setData(["n": 1, "m": 2], forDocument: ref, mergeFields: ["n"])
                same.setData(["k": 1, "m": 3], forDocument: ref, mergeFields: [FieldPath(["k"])])
            }
            return try await here.numbers(ref) == ["n": 1, "k": 1, "m": 1]
        }
        section.row(.core, "func updateData(_ fields: [AnyHashable : Any], forDocument document: DocumentReference) -> Transaction") { here in
            let ref = try await here.fresh(["m": 1])
            try await here.transact { transaction in
                let same: Transaction = transaction.updateData(["n": 1], forDocument: ref)
                same.updateData([FieldPath(["k"]): 1], forDocument: ref)
            }
            return try await here.numbers(ref) == ["n": 1, "k": 1, "m": 1]
        }
        section.row(.core, "func deleteDocument(_ document: DocumentReference) -> Transaction") { here in
            let (ref, other) = (try await here.fresh(["m": 1]), here.fresh())
            try await here.transact { transaction in
                let same: Transaction = transaction.deleteDocument(ref)
                same.deleteDocument(other)
            }
            return try await !ref.getDocument().exists
        }
        section.row(
            .core,
            "@discardableResult func setData<T: Encodable>(from value: T, forDocument doc: DocumentReference, encoder: Firestore.Encoder = Firestore.Encoder()) throws -> Transaction"
        ) { here in
            let ref = here.fresh()
            try await here.transact { transaction in
                let same: Transaction = try transaction.setData(from: Letter(n: 1), forDocument: ref)
                try same.setData(from: Letter(n: 2), forDocument: ref, encoder: Firestore.Encoder())
            }
            return try await here.numbers(ref) == ["n": 2]
        }
        section.row(
            .core,
            "@discardableResult func setData<T: Encodable>(from value: T, forDocument doc: DocumentReference, merge: Bool, encoder: Firestore.Encoder = Firestore.Encoder()) throws -> Transaction"
        ) { here in
            let ref = try await here.fresh(["m": 1])
            try await here.transact { transaction in
                let same: Transaction = try transaction.setData(from: Letter(n: 1), forDocument: ref, merge: true)
                try same.setData(from: Letter(n: 2), forDocument: ref, merge: true, encoder: Firestore.Encoder())
            }
            return try await here.numbers(ref) == ["n": 2, "m": 1]
        }
        section.row(
            .full,
            "@discardableResult func setData<T: Encodable>(from value: T, forDocument doc: DocumentReference, mergeFields: [Any], encoder: Firestore.Encoder = Firestore.Encoder()) throws -> Transaction"
        ) { here in
            let ref = try await here.fresh(["m": 1])
            try await here.transact { transaction in
                let same: Transaction = try transaction.setData(from: ["n": 1, "m": 2], forDocument: ref, mergeFields: ["n"])
                try same.setData(from: ["k": 1], forDocument: ref, mergeFields: ["k"], encoder: Firestore.Encoder())
            }
            return try await here.numbers(ref) == ["n": 1, "k": 1, "m": 1]
        }
        return section
    }

    /// api.md 8.3.
    static func transactionOptions() -> CompatibilitySection {
        var section = CompatibilitySection("8.3", "TransactionOptions")
        section.row(.full, "init()") { _ in
            TransactionOptions().maxAttempts == 5
        }
        section.row(.full, "var maxAttempts: Int { get set }", differs: "a value below 1 means 1") { here in
            let options = TransactionOptions()
            options.maxAttempts = 0
            let value: Bool = await completion { done in
                here.db.runTransaction(with: options, block: { _, _ in true }, completion: { value, _ in done(value as? Bool ?? false) })
            }
            return value && options.maxAttempts == 0
        }
        return section
    }
}
