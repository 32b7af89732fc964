// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseAuth
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// The guide's sample app against a development server with accounts and rules.
@Suite(.timeLimit(.minutes(3)), .waitingForProcesses)
struct SignedInAppTests {
    private static let rules = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents/notes/{note} {
            allow read: if request.auth != null;
            allow create: if request.auth.uid == request.resource.data.owner;
            allow update, delete: if request.auth.uid == resource.data.owner;
          }
        }
        """

    private func with(_ body: (Auth, Firestore) async throws -> Void) async throws {
        let folder = try ScratchFolder()
        let rules = try folder.file("app.rules", Self.rules)
        let server = try HearthServerProcess("--in-memory", "--port", "0", "--development", "--rules", rules, "--auth", "0")
        let accounts = try #require(server.readyLine.components(separatedBy: "accounts on 127.0.0.1:").last?.prefix { $0.isNumber })
        let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
        options.projectID = "demo-app"
        let name = "signed-in-\(AutoID.make())"
        FirebaseApp.configure(name: name, options: options)
        let app = try #require(FirebaseApp.app(name: name))
        let auth = Auth.auth(app: app)
        auth.useEmulator(withHost: "127.0.0.1", port: try #require(Int(accounts)))
        auth.settings?.persistence = .directory(folder.url)
        auth.settings?.callbackQueue = DispatchQueue(label: "accounts")
        let db = Firestore.firestore(app: app)
        db.useEmulator(withHost: "127.0.0.1", port: try server.port)
        let settings = db.settings
        settings.cacheDirectory = folder.url
        settings.dispatchQueue = DispatchQueue(label: "documents")
        db.settings = settings
        do { try await body(auth, db) } catch { Issue.record(error, "\(server.errors)") }
        _ = await app.delete()
        server.terminate()
        _ = server.waitForExit()
    }

    private func isDenied(_ body: () async throws -> Void) async -> Bool {
        do {
            try await body()
            return false
        } catch {
            return FirestoreErrorCode.permissionDenied ~= error
        }
    }

    @Test func `an app signs in anonymously, listens and adds`() async throws {
        try await with { auth, db in
            #expect(await isDenied { _ = try await db.collection("notes").getDocuments(source: .server) })
            let user = try await auth.signInAnonymously().user
            let texts = Mutex<[String]>([])
            let listener = db.collection("notes").addSnapshotListener { snapshot, _ in
                texts.withLock { $0 = snapshot?.documents.compactMap { $0["text"] as? String } ?? [] }
            }
            let added = try await db.collection("notes").addDocument(data: ["owner": user.uid, "text": "Buy towels"])
            await eventually("the note") { texts.withLock { $0 } == ["Buy towels"] }
            listener.remove()

            // Another user may read, and neither change the note nor write in the first one's name.
            let uid = user.uid
            try await user.link(with: EmailAuthProvider.credential(withEmail: "ada@example.com", password: "difference"))
            #expect(user.uid == uid)
            try auth.signOut()
            #expect(await isDenied { _ = try await added.getDocument(source: .server) })
            try await auth.signIn(withCustomToken: #"{"uid": "bert"}"#)
            #expect(try await added.getDocument(source: .server).get("owner") as? String == uid)
            #expect(await isDenied { try await added.updateData(["text": "Sell towels"]) })
            #expect(await isDenied { try await db.document("notes/mine").setData(["owner": uid]) })

            // The first user comes back by the address.
            try await auth.signIn(withEmail: "ada@example.com", password: "difference")
            #expect(auth.currentUser?.uid == uid)
            try await added.updateData(["text": "Keep towels"])
            #expect(try await added.getDocument(source: .server).get("text") as? String == "Keep towels")
            try await auth.currentUser?.delete()
            #expect(auth.currentUser == nil)
            #expect(await isDenied { _ = try await added.getDocument(source: .server) })
        }
    }

    @Test func `a write that was queued offline waits for its user`() async throws {
        try await with { auth, db in
            let ada = try await auth.signInAnonymously().user
            try await db.disableNetwork()
            db.document("notes/1").setData(["owner": ada.uid, "text": "offline"], completion: { _ in })
            try await auth.signIn(withCustomToken: #"{"uid": "bert"}"#)
            try await db.enableNetwork()
            try await db.waitForPendingWrites()
            #expect(try await db.document("notes/1").getDocument(source: .server).exists == false)
            try await auth.updateCurrentUser(ada)
            try await db.waitForPendingWrites()
            #expect(try await db.document("notes/1").getDocument(source: .server).get("text") as? String == "offline")
        }
    }
}
