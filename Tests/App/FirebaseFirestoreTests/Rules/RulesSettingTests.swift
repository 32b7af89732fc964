// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import Foundation
import ModeSupport
import TestSupport
import Testing

/// `settings.rules`, `settings.user` and `settings.strictLists` of an embedded database, in every mode of the tests: the storage is set.
@Suite struct RulesSettingTests {
    static let own = """
        rules_version = '2';
        service cloud.firestore { match /databases/{db}/documents {
          match /notes/{note} {
            allow read: if resource.data.owner == request.auth.uid;
            allow create: if request.resource.data.owner == request.auth.uid;
          }
          match /open/{any} { allow read: if !('secret' in resource.data); }
          match /editors/{any} { allow read, write: if request.auth.token.role == 'editor'; }
        } }
        """

    private func firestore(
        _ rules: SecurityRules? = .source(own), of app: FirebaseApp = Scratch.app(), storage: FirestoreSettings.Storage = .memory,
        change: (FirestoreSettings) -> Void = { _ in }
    ) -> Firestore {
        let firestore = Firestore.firestore(app: app)
        let settings = firestore.settings
        settings.storage = storage
        settings.dispatchQueue = DispatchQueue(label: "hearth.tests.rules")
        settings.rules = rules
        change(settings)
        firestore.settings = settings
        return firestore
    }

    private func become(_ user: SecurityRules.User?, _ firestore: Firestore) {
        let settings = firestore.settings
        settings.user = user
        firestore.settings = settings
    }

    private func isDenied(_ body: () async throws -> Void) async throws -> Bool {
        do {
            try await body()
            return false
        } catch FirestoreErrorCode.permissionDenied { return true }
    }

    // MARK: Settings

    @Test func `the defaults, and which settings are different`() {
        let settings = FirestoreSettings()
        #expect(settings.rules == nil && settings.user == nil && !settings.strictLists)
        let changes: [(FirestoreSettings) -> Void] = [
            { $0.rules = .source("") }, { $0.rules = .file(URL(fileURLWithPath: "/a")) }, { $0.user = .signedOut }, { $0.user = .administrator },
            { $0.user = .init(uid: "a") }, { $0.user = .init(uid: "a", claims: ["n": 1]) }, { $0.strictLists = true },
        ]
        var seen: [FirestoreSettings] = [settings]
        for change in changes {
            let changed = FirestoreSettings()
            change(changed)
            #expect(!seen.contains(changed) && changed.copy() as? FirestoreSettings == changed)
            seen.append(changed)
        }
    }

    @Test func `without a user requests are anonymous, and an administrator is not judged`() async throws {
        let db = firestore()
        let note = db.document("notes/a")
        #expect(try await isDenied { try await note.setData(["owner": "alice"]) })
        become(.administrator, db)
        try await note.setData(["owner": "alice"])
        #expect(try await note.getDocument().exists)
        become(.init(uid: "alice"), db)
        #expect(try await note.getDocument().exists)
        become(.init(uid: "bob"), db)
        #expect(try await isDenied { _ = try await note.getDocument() })
        become(nil, db)
        #expect(try await isDenied { _ = try await note.getDocument() })
        try await db.terminate()
    }

    @Test func `a denial of a completion handler and of a listener says why`() async throws {
        let db = firestore { $0.user = .init(uid: "bob") }
        become(.administrator, db)
        try await db.document("notes/a").setData(["owner": "alice"])
        become(.init(uid: "bob"), db)
        let written = await completion { done in db.document("notes/b").setData(["owner": "alice"]) { done($0.map { "\($0)" } ?? "") } }
        #expect(written.hasPrefix("permissionDenied: Missing or insufficient permissions.\ncreate notes/b: denied."), "\(written)")
        let heard = await completion { done in
            _ = db.document("notes/a").addSnapshotListener { _, error in done(error.map { "\($0)" } ?? "") }
        }
        #expect(heard.contains("get notes/a: denied.") && heard.contains("resource.data.owner = \"alice\""), "\(heard)")
        try await db.terminate()
    }

    // MARK: Rules that cannot be used

    @Test func `rules with errors fail every operation, with file, line and column, until they are corrected`() async throws {
        let folder = try ScratchFolder()
        let file = URL(fileURLWithPath: folder.file("firestore.rules"))
        let db = firestore(.file(file)) { $0.user = .init(uid: "alice") }
        let note = db.document("notes/a")
        #expect(isFailure(await failure { try await note.getDocument() }, .failedPrecondition, naming: "cannot be read", file.path))
        try "service cloud.firestore {\n  match /a/{b} { allow read: if ); }\n}".write(to: file, atomically: true, encoding: .utf8)
        #expect(isFailure(await failure { try await note.getDocument() }, .invalidArgument, naming: file.path, "L2:33"))
        #expect(isFailure(await failure { try await note.setData([:]) }, .invalidArgument, naming: "L2:33"))
        let heard = await completion { done in _ = note.addSnapshotListener { _, error in done(error.map { "\($0)" } ?? "") } }
        #expect(heard.contains("L2:33"), "\(heard)")
        try Self.own.write(to: file, atomically: true, encoding: .utf8)
        try await note.setData(["owner": "alice"])
        try await db.terminate()
    }

    @Test func `rules are in a file`() async throws {
        let db = firestore(.file(try #require(URL(string: "https://example.com/firestore.rules"))))
        #expect(isFailure(await failure { try await db.document("a/b").getDocument() }, .invalidArgument, naming: "example.com"))
    }

    // MARK: Lists

    @Test(arguments: [false, true])
    func `strict lists deny what filters do not prove`(isStrict: Bool) async throws {
        let db = firestore { $0.strictLists = isStrict }
        become(.administrator, db)
        try await db.document("open/a").setData(["secret": true])
        become(.signedOut, db)
        #expect(try await isDenied { _ = try await db.collection("open").getDocuments() } == isStrict)
        #expect(try await isDenied { _ = try await db.document("open/a").getDocument() })
        try await db.terminate()
    }

    // MARK: Beside rules

    @Test func `the file is the same with and without rules`() async throws {
        let folder = try ScratchFolder()
        let storage = FirestoreSettings.Storage.file(URL(fileURLWithPath: folder.file()))
        let app = Scratch.app()
        let open = firestore(nil, of: app, storage: storage)
        try await open.document("notes/a").setData(["owner": "alice"])
        try await open.terminate()

        let ruled = firestore(of: app, storage: storage) { $0.user = .init(uid: "alice") }
        #expect(try await ruled.document("notes/a").getDocument()["owner"] as? String == "alice")
        try await ruled.document("notes/b").setData(["owner": "alice"])
        #expect(try await isDenied { try await ruled.document("notes/b").delete() })
        try await ruled.terminate()

        let again = firestore(nil, of: app, storage: storage)
        #expect(try await again.collection("notes").getDocuments().count == 2)
        try await again.document("notes/b").delete()
        try await again.terminate()
    }

    @Test func `bundles and indexes are the app's, not the user's`() async throws {
        let db = firestore { $0.user = .signedOut }
        var bundle = BundleText(project: db.app.options.projectID ?? "")
        bundle.document("notes/bundled", fields: #"{"owner":{"stringValue":"alice"}}"#)
        #expect(try await db.loadBundle(bundle.data).documentsLoaded == 1)
        _ = try await db.indexConfiguration()
        #expect(try await isDenied { _ = try await db.document("notes/bundled").getDocument() })
        become(.init(uid: "alice"), db)
        #expect(try await db.document("notes/bundled").getDocument().exists)
        try await db.terminate()
    }
}
