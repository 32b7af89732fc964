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
        page.line("network off; addDocument(from:) returned \(reference.path) at once")

        let snapshot = try await reference.getDocument()
        page.value(try snapshot.data(as: Book.self))
        try await page.wait(for: "the acknowledgement") { acknowledged }
        page.claim(
            "it is stored and acknowledged: the embedded database needs no network",
            acknowledged && !snapshot.metadata.hasPendingWrites && !snapshot.metadata.isFromCache)
        try await db.enableNetwork()
    }
}
