// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// An app outside this repository: the guide's calls, with nothing but the public products.
@main
@MainActor
struct Consumer {
    static func main() async throws {
        try await mapping()
        try await liveUpdates()
        try await fieldTypes()
        try await queriesAndTransactions()
        try await ErrorsAndConcurrency.run()
        #if swift(>=6)
            print("consumer in Swift 6 mode: everything worked")
        #else
            print("consumer in Swift 5 mode: everything worked")
        #endif
    }

    static func mapping() async throws {
        let viewModel = BookViewModel()
        viewModel.updateBook(
            book: Book(id: "hitchhiker", title: "The Hitchhiker's Guide", numberOfPages: 224, author: "D. Adams"))
        viewModel.fetchBook(documentId: "hitchhiker")
        try await until("the book is there") { viewModel.book.id == "hitchhiker" && viewModel.book.numberOfPages == 224 }

        viewModel.fetchBook(documentId: "does-not-exist")
        try await until("the missing book is an error") { viewModel.errorMessage?.contains("does-not-exist") == true }

        let manual = ManualViewModel()
        manual.fetchBook(documentId: "hitchhiker")
        try await until("manual mapping works") { manual.book.numberOfPages == 224 }
    }

    static func liveUpdates() async throws {
        let viewModel = BookViewModel()
        viewModel.subscribe()
        try await until("the listener shows one book") { viewModel.books.count == 1 }
        viewModel.addBook(book: Book(title: "Life, the Universe and Everything", numberOfPages: 160, author: "D. Adams"))
        try await until("the listener shows two books") { viewModel.books.count == 2 }
        viewModel.unsubscribe()
    }

    static func fieldTypes() async throws {
        let offices = Firestore.firestore().collection("offices")
        let office = Office(name: "Observatory", location: GeoPoint(latitude: 51.4769, longitude: -0.0005), status: .inReview)
        try await offices.document("greenwich").setData(Firestore.Encoder().encode(office))
        let read = try await offices.document("greenwich").getDocument(as: Office.self)
        try await until("server timestamp, geopoint, enum and null come back") {
            read.openedAt != nil && read.location == office.location && read.status == .inReview && read.nickname == nil
        }
    }

    static func queriesAndTransactions() async throws {
        let db = Firestore.firestore()
        let pages = db.collection("pages")
        let batch = db.batch()
        for page in 1...3 { batch.setData(["page": page], forDocument: pages.document("\(page)")) }
        try await batch.commit()
        let later = try await pages.whereField("page", isGreaterThan: 1).order(by: "page", descending: true).getDocuments()
        try await until("the query finds two pages") { later.documents.map(\.documentID) == ["3", "2"] }

        let reference = pages.document("1")
        let result = try await db.runTransaction { transaction, errorPointer -> Any? in
            do {
                let page = try transaction.getDocument(reference).data()?["page"] as? Int ?? 0
                transaction.updateData(["page": page + 10], forDocument: reference)
                return page + 10
            } catch {
                errorPointer?.pointee = error as NSError
                return nil
            }
        }
        let page = result as? Int
        try await until("the transaction returned its value") { page == 11 }
    }

    /// Waits, within bounds, for a callback to bring something about.
    static func until(_ what: String, _ condition: () -> Bool) async throws {
        for _ in 0..<5000 {
            if condition() { return }
            try await Task.sleep(nanoseconds: 2_000_000)
        }
        print("failed: \(what)")
        exit(1)
    }
}
