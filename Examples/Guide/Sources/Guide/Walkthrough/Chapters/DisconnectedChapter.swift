// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

enum DisconnectedChapter: Chapter {
    static let title = "Adding while disconnected"

    static func tell(on page: Page) async throws {
        let db = Firestore.firestore()
        let books = db.collection("books")
        let title = "Network Effect"
        let screen = Screen()
        let listener = books.whereField("title", isEqualTo: title).addSnapshotListener(includeMetadataChanges: true) { snapshot, _ in
            MainActor.assumeIsolated { screen.shown = snapshot }
        }
        defer { listener.remove() }
        try await page.wait(for: "the first result") { screen.shown?.metadata.isFromCache == false }

        try await db.disableNetwork()
        let book = Book(title: title, numberOfPages: 346, author: "Martha Wells")
        let reference = try books.addDocument(from: book) { error in
            MainActor.assumeIsolated { screen.isAcknowledged = error == nil }
        }
        page.line("network off; addDocument(from:) returned \(reference.path) at once")
        try await page.wait(for: "the book on the screen") { screen.shown?.isEmpty == false }
        if page.place.isEmbedded {
            try await embedded(screen, on: page)
        } else {
            try await offline(screen, reference, on: page)
        }
        try await db.enableNetwork()

        try await page.wait(for: "the acknowledgement") {
            screen.isAcknowledged && screen.shown?.metadata.hasPendingWrites == false && screen.shown?.metadata.isFromCache == false
        }
        let stored = try await reference.getDocument(source: .server).data(as: Book.self)
        page.claim(
            page.place.isEmbedded ? "nothing is pending" : "network on: the server has it, and the listener says that nothing is pending",
            stored.title == title && screen.book?.id == stored.id && stored.id == reference.documentID)
    }

    private static func embedded(_ screen: Screen, on page: Page) async throws {
        page.value(screen.book as Any)
        try await page.wait(for: "the acknowledgement") { screen.isAcknowledged }
        page.claim(
            "it is stored and acknowledged: the embedded database needs no network",
            screen.shown?.metadata.hasPendingWrites == false && screen.shown?.metadata.isFromCache == false)
    }

    private static func offline(_ screen: Screen, _ reference: DocumentReference, on page: Page) async throws {
        page.value(screen.book as Any)
        page.claim(
            "the listener shows it, from the cache, with hasPendingWrites",
            screen.shown?.metadata.hasPendingWrites == true && screen.shown?.metadata.isFromCache == true && !screen.isAcknowledged)
        let waiting = try await Firestore.firestore().pendingWrites.current()
        page.claim("it waits in the queue", waiting.flatMap(\.documents).map(\.path) == [reference.path])
    }
}

/// What a view would show.
@MainActor
private final class Screen {
    var shown: QuerySnapshot?
    var isAcknowledged = false

    var book: Book? { shown?.documents.first.flatMap { try? $0.data(as: Book.self) } }
}
