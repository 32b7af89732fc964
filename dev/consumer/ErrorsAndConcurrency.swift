// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation

/// What the articles on errors and threads say, also in Swift 5 mode.
enum ErrorsAndConcurrency {
    static func run() async throws {
        FirebaseConfiguration.shared.setLoggerLevel(.error)  // import FirebaseCore
        let db = Firestore.firestore()
        await catching(db)
        try await waiting(db)
        try await decoding(db)
        try await transaction(db, db.document("novels/dune"))
        try await isolation(db)
        try spellings(db.document("novels/spelled"))
        try await db.waitForPendingWrites()
    }

    static func catching(_ db: Firestore) async {
        var isCaught = false
        do {
            try await db.document("novels/missing").updateData(["pages": 412])
        } catch FirestoreErrorCode.notFound {
            isCaught = true
        } catch let error as FirestoreErrorCode where error.code == .unavailable {
            print("try again later: \(error.localizedDescription)")
        } catch let error as NSError {
            print(error.domain, error.code, error.localizedDescription)
        }
        expect(isCaught, "notFound is caught")
    }

    static func waiting(_ db: Firestore) async throws {
        let book = Book(title: "Dune", numberOfPages: 412, author: "F. Herbert")
        let receipt = try db.document("novels/dune").setData(from: book)
        try await receipt.acknowledged

        let (reference, added) = try db.collection("novels").addDocument(from: book)
        try await added.acknowledged
        expect(reference.documentID.count == 20, "a document was added")

        let pending = db.document("novels/dune").updateData(["numberOfPages": 413], completion: nil)
        try await pending.acknowledged
    }

    static func decoding(_ db: Firestore) async throws {
        try await db.document("novels/odd").setData(["title": 1])
        var text = ""
        do {
            let book = try await db.document("novels/odd").getDocument(as: Book.self)
            print(book.title)
        } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context) {
            text = context.debugDescription
        }
        expect(text.contains("novels/odd") && text.contains("title"), "the decoding error names document and field")
        let snapshot = try await db.document("novels/odd").getDocument()
        let closure: () -> Int = {
            do {
                _ = try snapshot.data(as: Book.self)
                return 0
            } catch let error as NSError {
                return error.code
            }
        }
        expect(closure() == 4864, "a decoding error is an NSError in a closure that does not throw")
    }

    static func transaction(_ db: Firestore, _ reference: DocumentReference) async throws {
        let pages = try await db.runTransaction { transaction, errorPointer in
            let document: DocumentSnapshot
            do {
                try document = transaction.getDocument(reference)
            } catch let fetchError as NSError {
                errorPointer?.pointee = fetchError
                return nil
            }
            let pages = document.data()?["numberOfPages"] as? Int ?? 0
            transaction.updateData(["numberOfPages": pages + 1], forDocument: reference)
            return pages + 1
        }
        expect(pages as? Int == 414, "the transaction returns its value")

        let bad = db.document("odd")
        var code = 0
        do {
            _ = try await db.runTransaction { transaction, errorPointer in
                do {
                    return try transaction.getDocument(bad).exists
                } catch let fetchError as NSError {
                    errorPointer?.pointee = fetchError
                    return nil
                }
            }
        } catch let error as NSError {
            code = error.code
        }
        expect(code == FirestoreErrorCode.invalidArgument.rawValue, "a transaction's error is caught as an NSError")
    }

    @MainActor
    final class Library {
        private let db = Firestore.firestore()
        private(set) var titles: [String] = []
        private var registration: (any ListenerRegistration)?

        func subscribe() {
            registration = db.collection("novels").addSnapshotListener { [weak self] snapshot, error in
                self?.titles = snapshot?.documents.compactMap { $0["title"] as? String } ?? []
            }
        }

        func reload() async throws {
            titles = try await db.collection("novels").getDocuments().documents.compactMap { $0["title"] as? String }
        }

        func unsubscribe() { registration?.remove() }
    }

    @MainActor
    static func isolation(_ db: Firestore) async throws {
        let library = Library()
        library.subscribe()
        try await Consumer.until("the listener fills the titles") { library.titles.count == 2 }
        try await library.reload()
        expect(library.titles.count == 2, "the titles are read")
        library.unsubscribe()
    }

    /// Every spelling of a write outside of `async` code; each must compile without a warning.
    static func spellings(_ ref: DocumentReference) throws {
        ref.setData(["a": 1])
        ref.setData(["a": 1], merge: true)
        ref.setData(["a": 1], mergeFields: ["a"])
        ref.setData(["a": 1], completion: nil)
        ref.setData(["a": 1]) { error in print(error.map { "\($0)" } ?? "", terminator: "") }
        ref.updateData(["a": 2])
        ref.updateData(["a": 2]) { _ in }
        let receipt = ref.setData(["a": 3])
        Task { try await receipt.acknowledged }
        Task { try await ref.setData(["a": 4]) }
        let save: () -> Void = { ref.setData(["a": 5]) }
        save()
        [1, 2].forEach { ref.setData(["a": $0]) }
        let set: ([String: Any]) -> WriteReceipt = ref.setData
        _ = set(["a": 6])
        _ = ref.setData(_:completion:)(["a": 7], nil)
        ref.parent.addDocument(data: ["a": 1])
        ref.parent.addDocument(data: ["a": 1]) { _ in }
        let added = try ref.parent.addDocument(from: ["a": 1])
        added.delete()
        added.delete { _ in }
        ref.firestore.batch().deleteDocument(added).commit()
        ref.firestore.batch().commit { _ in }
        ref.firestore.enableNetwork()
        ref.firestore.disableNetwork { _ in }
        ref.delete()
    }

    static func expect(_ condition: Bool, _ what: String) {
        if condition { return }
        print("failed: \(what)")
        exit(1)
    }
}
