// SPDX-License-Identifier: Apache-2.0
import FirebaseAuth
import FirebaseFirestore

/// The guide's sample app as it is, on the ports of the emulators: it configures itself, signs in, listens and adds a document.
@MainActor
public enum SampleAppRun {
    public struct NothingHeard: Error {}

    @MainActor
    private final class Screen {
        var titles: [String] = []
    }

    /// Needs `hearth serve --development --rules guide.rules --auth 9099` or Google's emulators. `say` shows a line.
    public static func run(say: (String) -> Void) async throws {
        try await SampleApp.launch(useEmulator: true)
        let db = Firestore.firestore()
        let user = try await Auth.auth().signInAnonymously().user
        say("Signed in anonymously at localhost:9099: \(user.uid)")

        let screen = Screen()
        let books = db.collection("books").whereField("reader", isEqualTo: user.uid)
        let listener = books.addSnapshotListener { snapshot, error in
            if let error { print(error.localizedDescription) }
            MainActor.assumeIsolated { screen.titles = snapshot?.documents.compactMap { $0["title"] as? String } ?? [] }
        }
        defer { listener.remove() }
        let added = try await db.collection("books").addDocument(data: ["reader": user.uid, "title": "Solaris"])
        for _ in 0..<500 where screen.titles != ["Solaris"] { try await Task.sleep(for: .milliseconds(20)) }
        guard screen.titles == ["Solaris"] else { throw NothingHeard() }
        say("The listener has the book that was added, as \(added.path), on localhost:8080.")

        try await user.delete()
        try await db.terminate()
    }
}
