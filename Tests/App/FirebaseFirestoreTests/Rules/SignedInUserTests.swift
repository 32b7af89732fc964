// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import FirestoreCore
import Foundation
import HearthBase
import ModeSupport
import Testing

/// Rules of an embedded database decide for the user who is signed in to the app, unless the settings name one.
@Suite struct SignedInUserTests {
    /// What FirebaseAuth is to Firestore.
    private final class Accounts: UserTokenProvider {
        private struct State {
            var uid: String?
            var token: String?
            var observers: [Int: @Sendable () -> Void] = [:]
            var count = 0
            var reads = 0
            var afterReading: (@Sendable () -> Void)?
        }

        private final class Observation: UserTokenObservation {
            private let end: @Sendable () -> Void
            init(_ end: @escaping @Sendable () -> Void) { self.end = end }
            deinit { end() }
        }

        private let state = Mutex(State())

        var userID: String? {
            let (uid, then) = state.withLock { state in
                state.reads += 1
                defer { state.afterReading = nil }
                return (state.uid, state.afterReading)
            }
            then?()
            return uid
        }
        /// How often the user was asked for.
        var reads: Int { state.withLock { $0.reads } }
        var knownToken: UserToken? { state.withLock { $0.token }.map { UserToken($0, expires: .distantFuture) } }
        var observers: Int { state.withLock { $0.observers.count } }

        func token(forcingRefresh: Bool) async throws -> UserToken? { knownToken }

        func observe(_ body: @escaping @Sendable () -> Void) -> any UserTokenObservation {
            let number = state.withLock { state in
                state.count += 1
                state.observers[state.count] = body
                return state.count
            }
            return Observation { [weak self] in self?.state.withLock { $0.observers[number] = nil } }
        }

        /// Called once, when the user has been read and before the reader gets it.
        func afterReading(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.afterReading = body } }

        func signIn(_ uid: String?, token: String? = nil, tells: Bool = true) {
            let observers = state.withLock { state in
                (state.uid, state.token) = (uid, token)
                return Array(state.observers.values)
            }
            if tells { for observer in observers { observer() } }
        }
    }

    private static let rules = """
        rules_version = '2';
        service cloud.firestore { match /databases/{db}/documents {
          match /notes/{note} { allow read, write: if note == request.auth.uid; }
          match /editors/{any} { allow read, write: if request.auth.token.role == 'editor'; }
        } }
        """

    private func database(_ accounts: Accounts?) -> Firestore {
        let app = Scratch.app()
        app.userTokens = accounts
        let firestore = Firestore.firestore(app: app)
        let settings = firestore.settings
        settings.storage = .memory
        settings.dispatchQueue = DispatchQueue(label: "hearth.tests.users")
        settings.rules = .source(Self.rules)
        firestore.settings = settings
        return firestore
    }

    private func state(_ user: SecurityRules.User?, _ firestore: Firestore) {
        let settings = firestore.settings
        settings.user = user
        firestore.settings = settings
    }

    private func isGranted(_ reference: DocumentReference) async throws -> Bool {
        do {
            _ = try await reference.getDocument()
            return true
        } catch FirestoreErrorCode.permissionDenied { return false }
    }

    private static func token(_ payload: String) -> String {
        let parts = [#"{"alg":"none"}"#, payload].map { Base64.encode(Array($0.utf8)).filter { $0 != "=" } }
        return parts.joined(separator: ".") + "."
    }

    @Test func `a user who signs in applies to the next request, even before observers are notified`() async throws {
        let accounts = Accounts()
        let db = database(accounts)
        #expect(try await !isGranted(db.document("notes/alice")))
        accounts.signIn("alice", tells: false)
        #expect(try await isGranted(db.document("notes/alice")))
        #expect(try await !isGranted(db.document("notes/bob")))
        accounts.signIn("bob")
        #expect(try await isGranted(db.document("notes/bob")))
        accounts.signIn(nil)
        #expect(try await !isGranted(db.document("notes/bob")))
        try await db.terminate()
    }

    @Test func `the settings take precedence, until they name no user`() async throws {
        let accounts = Accounts()
        accounts.signIn("alice")
        let db = database(accounts)
        state(.init(uid: "bob"), db)
        #expect(try await isGranted(db.document("notes/bob")))
        #expect(try await !isGranted(db.document("notes/alice")))
        state(.signedOut, db)
        #expect(try await !isGranted(db.document("notes/alice")))
        state(nil, db)
        #expect(try await isGranted(db.document("notes/alice")))
        try await db.terminate()
    }

    @Test func `the claims come from the token, if it is the user's`() async throws {
        let accounts = Accounts()
        let db = database(accounts)
        let document = db.document("editors/a")
        let tokens: [(token: String?, isGranted: Bool)] = [
            (Self.token(#"{"sub":"alice","role":"editor"}"#), true), (Self.token(#"{"sub":"alice","role":"reader"}"#), false),
            (Self.token(#"{"sub":"bob","role":"editor"}"#), false), (Self.token(#"{"role":"editor"}"#), false), (nil, false), ("opaque", false),
            (Self.token(#"{"sub":"alice","role":"editor","n":1.0}"#), true),
        ]
        for (token, granted) in tokens {
            accounts.signIn("alice", token: token)
            #expect(try await isGranted(document) == granted, "\(token ?? "no token")")
            #expect(try await isGranted(db.document("notes/alice")))
        }
        try await db.terminate()
    }

    @Test func `a listener ends when its user signs out, and the database releases the accounts`() async throws {
        let accounts = Accounts()
        accounts.signIn("alice")
        let db = database(accounts)
        let heard = Collector<String>()
        let registration = db.document("notes/alice").addSnapshotListener { snapshot, error in
            heard.append(error == nil ? "exists: \(snapshot?.exists == true)" : "\((error as? FirestoreErrorCode)?.code == .permissionDenied)")
        }
        _ = await heard.first(1)
        try await db.document("notes/alice").setData(["n": 1])
        _ = await heard.first(2)
        // The same user with another token leaves it unchanged.
        accounts.signIn("alice", token: Self.token(#"{"sub":"alice"}"#))
        try await db.document("notes/alice").delete()
        #expect(await heard.first(3) == ["exists: false", "exists: true", "exists: false"])
        accounts.signIn(nil)
        #expect(await heard.first(4).last == "true")
        registration.remove()
        #expect(accounts.observers == 1)
        try await db.terminate()
        #expect(accounts.observers == 0)
    }

    @Test func `the user of the app is not asked for while the settings name one`() async throws {
        let accounts = Accounts()
        accounts.signIn("alice")
        let db = database(accounts)
        state(.signedOut, db)
        #expect(try await !isGranted(db.document("notes/alice")))
        #expect(accounts.reads == 0 && accounts.observers == 0)
        try await db.terminate()
    }

    @Test func `a user who was read before a newer one was reported does not replace them`() async throws {
        let accounts = Accounts()
        let db = database(accounts)
        #expect(try await !isGranted(db.document("notes/alice")))
        accounts.afterReading { accounts.signIn("alice") }
        #expect(try await isGranted(db.document("notes/alice")))
        try await db.terminate()
    }

    @Test func `accounts may come after the first read`() async throws {
        let db = database(nil)
        #expect(try await !isGranted(db.document("notes/alice")))
        let accounts = Accounts()
        accounts.signIn("alice")
        db.app.userTokens = accounts
        #expect(try await isGranted(db.document("notes/alice")))
        #expect(accounts.observers == 1)
        try await db.terminate()
    }

    @Test func `without rules the user does not matter`() async throws {
        let app = Scratch.app()
        let accounts = Accounts()
        app.userTokens = accounts
        let db = Firestore.firestore(app: app)
        let settings = db.settings
        settings.storage = .memory
        settings.user = .signedOut
        db.settings = settings
        try await db.document("notes/alice").setData([:])
        #expect(accounts.observers == 0)
        try await db.terminate()
    }
}
