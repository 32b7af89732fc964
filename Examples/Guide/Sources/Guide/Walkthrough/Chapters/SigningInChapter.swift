// SPDX-License-Identifier: Apache-2.0
import FirebaseAuth
import FirebaseFirestore

/// The guide's sample app: it signs in anonymously, listens and adds.
enum SigningInChapter: Chapter {
    static let title = "Signing in"

    static func tell(on page: Page) async throws {
        let screen = Screen()
        let handle = Auth.auth().addStateDidChangeListener { _, user in
            MainActor.assumeIsolated { screen.users.append(user?.uid) }
        }
        defer { Auth.auth().removeStateDidChangeListener(handle) }
        let user = try await Auth.auth().signInAnonymously().user
        page.line("Auth.auth().signInAnonymously(): \(user.uid)")
        if !page.place.hasAccounts {
            page.note("The account is a local one: no server is asked. `make demo-server` has a server with accounts and rules.")
        }
        page.claim("signed in anonymously; a second sign-in is the same user", try await isStill(user))
        try await page.wait(for: "the listener") { screen.users.last == user.uid }

        try await listenAndAdd(as: user, screen, on: page)
        if page.place.hasAccounts { try await becomeLasting(user, on: page) }
        try await signOutAndIn(screen, on: page)
    }

    private static func isStill(_ user: User) async throws -> Bool {
        let again = try await Auth.auth().signInAnonymously().user
        return again.isAnonymous && again.uid == user.uid && Auth.auth().currentUser?.uid == user.uid
    }

    private static func listenAndAdd(as user: User, _ screen: Screen, on page: Page) async throws {
        let notes = Firestore.firestore().collection("notes").whereField("author", isEqualTo: user.uid)
        let listener = notes.addSnapshotListener { snapshot, _ in
            MainActor.assumeIsolated { screen.notes = snapshot?.documents.compactMap { $0["text"] as? String } ?? [] }
        }
        defer { listener.remove() }
        let added = try await Firestore.firestore().collection("notes").addDocument(data: ["author": user.uid, "text": "Buy towels"])
        try await page.wait(for: "the note") { screen.notes == ["Buy towels"] }
        page.claim("the user's note is on the screen", screen.notes == ["Buy towels"])
        try await added.delete()
    }

    /// Only with a server: an address and a password for the same account.
    private static func becomeLasting(_ user: User, on page: Page) async throws {
        let (uid, email) = (user.uid, "\(user.uid.lowercased())@example.com")
        let credential = EmailAuthProvider.credential(withEmail: email, password: "don't panic")
        try await user.link(with: credential)
        page.claim("linked to \(email), the user keeps the id", user.uid == uid && !user.isAnonymous && user.email == email)

        try Auth.auth().signOut()
        do {
            _ = try await Firestore.firestore().collection("notes").getDocuments(source: .server)
            page.claim("signed out, the server denies a read", false)
        } catch {
            page.error(error.localizedDescription)
            page.claim("signed out, the server denies a read", FirestoreErrorCode.permissionDenied ~= error)
        }

        do {
            try await Auth.auth().signIn(withEmail: email, password: "panic")
            page.claim("a wrong password is refused", false)
        } catch {
            page.claim("a wrong password is refused", AuthErrorCode.wrongPassword ~= error || AuthErrorCode.invalidCredential ~= error)
        }
        let again = try await Auth.auth().signIn(withEmail: email, password: "don't panic").user
        page.claim("signed in again, with the same id", again.uid == uid)
        try await again.delete()
    }

    /// What follows is done by a new user.
    private static func signOutAndIn(_ screen: Screen, on page: Page) async throws {
        try Auth.auth().signOut()
        try await page.wait(for: "the sign-out") { screen.users.last == .some(nil) }
        page.claim("after signOut() no user is signed in, which the listener hears", Auth.auth().currentUser == nil)
        let user = try await Auth.auth().signInAnonymously().user
        try await page.wait(for: "the new user") { screen.users.last == user.uid }
    }

    @MainActor
    private final class Screen {
        var users: [String?] = []
        var notes: [String] = []
    }
}
