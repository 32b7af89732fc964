// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Firebase
import Foundation
import Testing

/// The spellings of apps, with `import Firebase` and nothing else. Most are only compiled.
@Suite(.timeLimit(.minutes(2)))
struct AuthSurfaceTests {
    /// A view model as the documentation has it: neither Sendable nor on the main actor.
    final class SessionModel {
        var user: User?
        var message: String?
        private var handle: AuthStateDidChangeListenerHandle?

        func listen() {
            handle = Auth.auth().addStateDidChangeListener { auth, user in
                self.user = user
                self.message = auth.currentUser?.email
            }
        }

        func unlisten() {
            if let handle { Auth.auth().removeStateDidChangeListener(handle) }
        }

        func signIn() {
            Auth.auth().signInAnonymously { authResult, error in
                if let error = error as NSError? {
                    switch AuthErrorCode(rawValue: error.code) {
                    case .operationNotAllowed: self.message = "not enabled"
                    case .networkError?: self.message = "offline"
                    default: self.message = error.localizedDescription
                    }
                    return
                }
                guard let user = authResult?.user else { return }
                let isAnonymous = user.isAnonymous
                self.message = "\(user.uid) \(isAnonymous)"
            }
        }

        func signOut() {
            do {
                try Auth.auth().signOut()
            } catch let signOutError as NSError {
                message = "Error signing out: \(signOutError)"
            }
        }
    }

    @MainActor
    final class MainModel {
        var user: User?
        private var handle: (any NSObjectProtocol)?

        func listen() {
            handle = Auth.auth().addStateDidChangeListener { [weak self] _, user in
                MainActor.assumeIsolated { self?.user = user }
            }
        }

        func signIn(email: String, password: String) async -> String? {
            do {
                let result = try await Auth.auth().signIn(withEmail: email, password: password)
                user = result.user
                return nil
            } catch AuthErrorCode.wrongPassword, AuthErrorCode.invalidCredential {
                return "wrong"
            } catch {
                return error.localizedDescription
            }
        }

        func follow() async {
            for await user in Auth.auth().authStateChanges { self.user = user }
        }
    }

    private func asynchronous(_ auth: Auth, _ user: User) async throws {
        _ = try await auth.createUser(withEmail: "a@b.c", password: "secret").user.uid
        try await auth.createUser(withEmail: "a@b.c", password: "secret")
        try await auth.signIn(withEmail: "a@b.c", link: "link")
        try await auth.signIn(withCustomToken: "token")
        try await auth.signIn(with: EmailAuthProvider.credential(withEmail: "a@b.c", password: "secret"))
        try await auth.signIn(with: OAuthProvider.credential(providerID: "apple.com", idToken: "t", rawNonce: "n"))
        try await auth.signIn(with: OAuthProvider.credential(providerID: "oidc.x", idToken: "t", rawNonce: "n", accessToken: "a"))
        try await auth.signIn(with: OAuthProvider.credential(providerID: .apple, idToken: "t", rawNonce: "n"))
        try await auth.signIn(with: OAuthProvider.credential(providerID: AuthProviderID.custom("oidc.x"), accessToken: "a"))
        try await auth.signIn(with: OAuthProvider.credential(withProviderID: "oidc.x", idToken: "t", accessToken: "a"))
        try await auth.signIn(with: FacebookAuthProvider.credential(withAccessToken: "t"))
        try await auth.signIn(with: GitHubAuthProvider.credential(withToken: "t"))
        let result = try await auth.signIn(with: TwitterAuthProvider.credential(withToken: "t", secret: "s"))
        if let credential = result.credential as? OAuthCredential { print(credential.accessToken as Any, credential.secret as Any) }
        try await auth.revokeToken(withAuthorizationCode: "code")
        try await auth.signIn(with: OAuthProvider.appleCredential(withIDToken: "t", rawNonce: "n", fullName: nil))
        try await auth.sendPasswordReset(withEmail: "a@b.c")
        try await auth.sendPasswordReset(withEmail: "a@b.c", actionCodeSettings: ActionCodeSettings())
        try await auth.confirmPasswordReset(withCode: "code", newPassword: "secret")
        let email: String = try await auth.verifyPasswordResetCode("code")
        let info: ActionCodeInfo = try await auth.checkActionCode("code")
        try await auth.applyActionCode("code")
        try await auth.updateCurrentUser(user)
        try await user.reload()
        try await user.delete()
        let token: String = try await user.getIDToken()
        _ = try await user.getIDToken(forcingRefresh: true)
        _ = try await user.idTokenForcingRefresh(true)
        let claims: [String: Any] = try await user.getIDTokenResult(forcingRefresh: true).claims
        try await user.link(with: GoogleAuthProvider.credential(withIDToken: token, accessToken: ""))
        _ = try await user.unlink(fromProvider: GoogleAuthProvider.id)
        try await user.reauthenticate(with: EmailAuthProvider.credential(withEmail: email, password: "secret"))
        try await user.updatePassword(to: "secret")
        try await user.sendEmailVerification()
        try await user.sendEmailVerification(beforeUpdatingEmail: info.email)
        let request = user.createProfileChangeRequest()
        request.displayName = "\(claims.count)"
        try await request.commitChanges()
        for info in user.providerData { print(info.providerID, info.uid, info.photoURL as Any) }
        for await user in auth.idTokenChanges { print(user?.metadata.lastSignInDate as Any) }
    }

    private func withHandlers(_ auth: Auth, _ user: User) {
        auth.createUser(withEmail: "a@b.c", password: "secret") { result, error in print(result as Any, error as Any) }
        auth.signIn(withEmail: "a@b.c", password: "secret") { _, _ in }
        auth.signIn(withCustomToken: "token") { _, _ in }
        auth.signIn(with: EmailAuthProvider.credential(withEmail: "a@b.c", link: "link")) { _, _ in }
        auth.sendPasswordReset(withEmail: "a@b.c") { error in print(error as Any) }
        auth.updateCurrentUser(user) { _ in }
        auth.signInAnonymously()
        auth.revokeToken(withAuthorizationCode: "code") { _ in }
        auth.revokeToken(withAuthorizationCode: "code")
        user.getIDToken { token, error in print(token as Any, error as Any) }
        user.getIDTokenForcingRefresh(true) { _, _ in }
        user.getIDTokenResult(forcingRefresh: true) { result, _ in print(result?.claims["admin"] as? Bool as Any) }
        user.link(with: EmailAuthProvider.credential(withEmail: "a@b.c", password: "secret")) { _, _ in }
        user.unlink(fromProvider: "password") { _, _ in }
        user.reload { _ in }
        user.delete { _ in }
        user.sendEmailVerification { _ in }
        user.updatePassword(to: "secret") { _ in }
        let request = user.createProfileChangeRequest()
        request.photoURL = nil
        request.commitChanges { _ in }
    }

    private func configured() {
        Auth.auth().useEmulator(withHost: "127.0.0.1", port: 9099)
        Auth.auth().languageCode = "fr"
        Auth.auth().useAppLanguage()
        Auth.auth().settings?.isAppVerificationDisabledForTesting = true
        Auth.auth().tenantID = nil
        Auth.auth().customAuthDomain = "auth.example.com"
        Auth.auth().shareAuthStateAcrossDevices = true
        _ = NotificationCenter.default.addObserver(forName: .AuthStateDidChange, object: nil, queue: nil) { _ in }
        if let app = FirebaseApp.app() { print(Auth.auth(app: app).app?.name as Any) }
        _ = NotificationCenter.default.addObserver(forName: Auth.authStateDidChangeNotification, object: nil, queue: nil) { _ in }
    }

    @Test func `an app has one instance, and Firestore finds it by itself`() async throws {
        let name = "surface-\(UInt64.random(in: 0 ... .max))"
        FirebaseApp.configure(name: name, options: FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1"))
        let app = try #require(FirebaseApp.app(name: name))
        // Before `Auth.auth(app:)` was called.
        let tokens = try #require(app.userTokens)
        #expect(tokens.userID == nil)
        let auth = Auth.auth(app: app)
        auth.settings?.persistence = .memory
        #expect(Auth.auth(app: app) === auth && auth.app === app)
        let user = try await auth.signInAnonymously().user
        #expect(tokens.userID == user.uid && app.userTokens === tokens)
        #expect(await app.delete())
        #expect(Auth.auth(app: app) !== auth)
    }

    @Test func `a deleted app ends the loops over its users, and keeps no instance`() async throws {
        let name = "deleted-\(UInt64.random(in: 0 ... .max))"
        FirebaseApp.configure(name: name, options: FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1"))
        let app = try #require(FirebaseApp.app(name: name))
        let auth = Auth.auth(app: app)
        auth.settings?.persistence = .memory
        var users = auth.authStateChanges.makeAsyncIterator()
        #expect(await users.next() == .some(nil))
        try await auth.signInAnonymously()
        #expect(await users.next()??.isAnonymous == true)
        #expect(await app.delete())
        #expect(await users.next() == nil && auth.currentUser == nil)
        let late = Auth.auth(app: app)
        late.settings?.persistence = .memory
        #expect(late !== auth && late !== Auth.auth(app: app) && late.currentUser == nil)
        var none = late.idTokenChanges.makeAsyncIterator()
        #expect(await none.next() == .some(nil))
        #expect(await none.next() == nil)
        let error = await #expect(throws: NSError.self) { try await late.signInAnonymously() }
        #expect(error?.localizedDescription.contains("deleted") == true)
    }

    @Test func `a database of a test does not see the users of the machine`() {
        #expect(FirebaseApp.unregistered(projectID: "demo-none").userTokens == nil)
    }

    @Test func `what is obtained before configure belongs to the configured app`() async throws {
        try await #require(processExitsWith: .success) {
            let before = Auth.auth()
            FirebaseApp.configure()
            guard Auth.auth() === before, before.app === FirebaseApp.app() else { throw CancellationError() }
            let isDeleted = await before.app?.delete()
            guard isDeleted == true, Auth.auth() !== before else { throw CancellationError() }
        }
    }

    @Test func `an app of other options is another app`() async throws {
        try await #require(processExitsWith: .success) {
            let before = Auth.auth()
            let options = FirebaseOptions(googleAppID: "1:1:hearth:1", gcmSenderID: "1")
            options.projectID = "demo-late"
            FirebaseApp.configure(options: options)
            guard Auth.auth() !== before, Auth.auth().app?.options.projectID == "demo-late" else { throw CancellationError() }
        }
    }
}
