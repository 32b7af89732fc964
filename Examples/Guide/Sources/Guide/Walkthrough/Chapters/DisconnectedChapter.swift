// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

enum DisconnectedChapter: Chapter {
    static let title = "Adding while disconnected"

    static func tell(on page: Page) async throws {
        let db = Firestore.firestore()
        try await db.disableNetwork()
        var acknowledged = false
        let book = Book(title: "Network Effect", numberOfPages: 346, author: "Martha Wells")
        let reference = try db.collection("books").addDocument(from: book) { error in
            acknowledged = error == nil
        }
        page.line("network off\(page.place.isEmbedded ? "" : " (which a client without a cache ignores)"); "
            + "addDocument(from:) returned \(reference.path) at once")

        let snapshot = try await reference.getDocument()
        page.value(try snapshot.data(as: Book.self))
        try await page.wait(for: "the acknowledgement") { acknowledged }
        let why = page.place.isEmbedded ? "the embedded database needs no network" : "the server was there all the time"
        page.claim(
            "it is stored and acknowledged: \(why)",
            acknowledged && !snapshot.metadata.hasPendingWrites && !snapshot.metadata.isFromCache)
        try await db.enableNetwork()
    }
}
