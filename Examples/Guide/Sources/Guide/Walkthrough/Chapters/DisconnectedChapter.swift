// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

/// The guide's "adding a document works even when the app is offline", as the user of an app sees it.
enum DisconnectedChapter: Chapter {
    static let title = "Adding while disconnected"

    static func tell(on page: Page) async throws {
        try await (page.place.isEmbedded ? neverOffline(page) : inATunnel(page))
    }

    private static func neverOffline(_ page: Page) async throws {
        let db = Firestore.firestore()
        page.note("The embedded database is never offline, so nothing waits here. `make demo-server` shows an app without a connection.")
        try await db.disableNetwork()
        var isAcknowledged = false
        let book = Book(title: "Network Effect", numberOfPages: 346, author: "Martha Wells")
        let reference = try db.collection("books").addDocument(from: book) { error in isAcknowledged = error == nil }
        page.line("disableNetwork(); addDocument(from:) returned \(reference.path) at once")

        let snapshot = try await reference.getDocument()
        page.value(try snapshot.data(as: Book.self))
        try await page.wait(for: "the acknowledgement") { isAcknowledged }
        page.claim(
            "it is stored and acknowledged: no network is needed",
            !snapshot.metadata.hasPendingWrites && !snapshot.metadata.isFromCache)
        try await db.enableNetwork()
    }

    private static func inATunnel(_ page: Page) async throws {
        let db = Firestore.firestore()
        let articles = db.collection("articles")
        let title = "Written in a tunnel"
        let screen = Screen()
        // With metadata changes: the acknowledgement changes no field that the app has set, and the screen shows it.
        let listener = articles.whereField("title", isEqualTo: title).addSnapshotListener(includeMetadataChanges: true) { snapshot, _ in
            MainActor.assumeIsolated { screen.shows = snapshot }
        }
        defer { listener.remove() }
        try await page.wait(for: "the server's first answer") { screen.shows?.metadata.isFromCache == false }

        try await db.disableNetwork()
        page.line("The train enters a tunnel: disableNetwork().")
        let reference = try articles.addDocument(from: DatesAndTimes.Article(title: title)) { error in
            MainActor.assumeIsolated { screen.isAcknowledged = error == nil }
        }
        try await page.wait(for: "the article on the screen") { screen.shows?.isEmpty == false }
        page.value(screen.article as Any)
        page.claim(
            "the new article is on the screen at once: hasPendingWrites is true, so the app can say \"not uploaded yet\"",
            screen.shows?.documents.first?.metadata.hasPendingWrites == true && screen.article?.id == reference.documentID)
        page.claim("createdAt is nil: the server has not set it yet", screen.article.map { $0.createdAt == nil } == true)
        let waiting = try await db.pendingWrites.current()
        page.claim(
            "\(reference.path) waits in db.pendingWrites, and its completion handler was not called",
            waiting.flatMap(\.documents).map(\.path) == [reference.path] && !screen.isAcknowledged)
        page.claim("the server cannot be asked: a read with source: .server fails with unavailable", await isUnavailable(reference))

        try await db.enableNetwork()
        page.line("The train leaves the tunnel: enableNetwork().")
        try await page.wait(for: "the acknowledgement") {
            screen.isAcknowledged && screen.shows?.metadata.hasPendingWrites == false && screen.shows?.metadata.isFromCache == false
        }
        page.value(screen.article as Any)
        page.claim(
            "the article was sent by itself, the completion handler was called, and hasPendingWrites is false", screen.isAcknowledged)
        let stored = try await reference.getDocument(source: .server).data(as: DatesAndTimes.Article.self)
        page.claim(
            "createdAt is the server's time, on the screen as on the server",
            stored.createdAt != nil && stored.createdAt == screen.article?.createdAt)
        page.expect("nothing is left to upload", try await db.pendingWrites.current().isEmpty)
    }

    private static func isUnavailable(_ reference: DocumentReference) async -> Bool {
        do {
            _ = try await reference.getDocument(source: .server)
            return false
        } catch {
            return (error as? FirestoreErrorCode)?.code == .unavailable
        }
    }
}

/// What a view would show.
@MainActor
private final class Screen {
    var shows: QuerySnapshot?
    var isAcknowledged = false

    var article: DatesAndTimes.Article? { shows?.documents.first.flatMap { try? $0.data(as: DatesAndTimes.Article.self) } }
}
