// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// The code of the articles "Handle errors, and wait for writes" and "Which thread calls what".
@Suite struct ErrorSnippets {
    @Test func `errors are caught by their codes`() async throws {
        let db = try TestFirestore().firestore
        // snippet: errors-catch
        do {
            try await db.document("trails/ridge").updateData(["kilometers": 12])
        } catch FirestoreErrorCode.notFound {
            print("the trail does not exist")
        } catch let error as FirestoreErrorCode where error.code == .unavailable {
            print("try again later: \(error.localizedDescription)")
        } catch let error as NSError {
            print(error.domain, error.code, error.localizedDescription)
        }
        // end snippet
        await #expect { try await db.document("trails/ridge").updateData(["kilometers": 12]) } throws: { FirestoreErrorCode.notFound ~= $0 }
    }

    @Test func `decoding errors name document and field`() async throws {
        let db = try TestFirestore().firestore
        try await db.document("trails/ridge").setData(["name": "Ridge Walk", "region": "Alps", "kilometers": "11"])
        // snippet: errors-decode
        do {
            let trail = try await db.document("trails/ridge").getDocument(as: Trail.self)
            print(trail.name)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            print(context.debugDescription)
        }
        // end snippet
        await #expect { try await db.document("trails/ridge").getDocument(as: Trail.self) } throws: { error in
            guard case DecodingError.typeMismatch(_, let context) = error else { return false }
            return context.debugDescription == "Document trails/ridge: field 'kilometers' holds a string, but Double was expected."
        }
    }

    @Test func `a transaction reports through its pointer`() async throws {
        let db = try TestFirestore().firestore
        let reference = db.document("trails/ridge")
        // snippet: errors-transaction
        let visits = try await db.runTransaction { transaction, errorPointer in
            do {
                let visits = try transaction.getDocument(reference)["visits"] as? Int ?? 0
                transaction.setData(["visits": visits + 1], forDocument: reference, merge: true)
                return visits + 1
            } catch let error as NSError {
                errorPointer?.pointee = error
                return nil
            }
        }
        // end snippet
        #expect(visits as? Int == 1)
    }

    @Test func `writes can be awaited`() async throws {
        let db = try TestFirestore().firestore
        let trail = Trail(name: "Ridge Walk", region: "Alps", kilometers: 11.5)
        // snippet: errors-receipts
        let receipt = try db.document("trails/ridge").setData(from: trail)
        try await receipt.acknowledged

        let (reference, added) = try db.collection("trails").addDocument(from: trail)
        try await added.acknowledged
        print(reference.documentID)
        // end snippet

        // snippet: errors-later
        let pending = db.document("trails/ridge").updateData(["kilometers": 12], completion: nil)
        // … other work …
        try await pending.acknowledged
        // end snippet
        #expect(try await db.document("trails/ridge").getDocument()["kilometers"] as? Int == 12)
    }

    /// Only compiled: the level belongs to the whole process.
    private static func quiet() {
        // snippet: errors-log
        FirebaseConfiguration.shared.setLoggerLevel(.error)  // import FirebaseCore
        // end snippet
    }

    /// Only compiled: a program is not started inside a test.
    enum Program {
        // snippet: threads-main
        struct App {
            static func main() async throws {
                let db = Firestore.firestore()
                try await db.document("trails/ridge").setData(["name": "Ridge Walk"])
            }
        }
        // end snippet
    }

    // snippet: threads-model
    @MainActor
    final class TrailBoard {
        private let trails: CollectionReference
        private(set) var names: [String] = []
        private var registration: (any ListenerRegistration)?

        init(_ db: Firestore) { trails = db.collection("trails") }

        func subscribe() {
            registration = trails.addSnapshotListener { [weak self] snapshot, error in
                self?.names = snapshot?.documents.compactMap { $0["name"] as? String } ?? []
            }
        }

        func reload() async throws {
            names = try await trails.getDocuments().documents.compactMap { $0["name"] as? String }
        }

        func unsubscribe() { registration?.remove() }
    }
    // end snippet

    @MainActor @Test func `a view model reads and listens`() async throws {
        let db = try TestFirestore().firestore
        try await db.document("trails/ridge").setData(["name": "Ridge Walk"])
        let board = TrailBoard(db)
        board.subscribe()
        try await board.reload()
        #expect(board.names == ["Ridge Walk"])
        board.unsubscribe()
    }
}
