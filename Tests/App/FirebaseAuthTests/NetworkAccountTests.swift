// SPDX-License-Identifier: Apache-2.0
#if Remote && canImport(FirestoreAccounts)
    import FirestoreAccounts
    import FirestoreCore
    import FirestoreRPC
    import Foundation
    import Testing

    @testable import FirebaseAuth

    /// Signing in at the accounts of Hearth's server, over HTTP.
    @Suite(.timeLimit(.minutes(2)))
    struct NetworkAccountTests {
        private static let email = "ada@example.com"
        private static let password = "difference"

        private func code(_ body: () async throws -> Void) async -> AuthErrorCode? {
            do {
                try await body()
                return nil
            } catch {
                return error as? AuthErrorCode
            }
        }

        @Test func `a user signs up, out, and in again`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            let created = try await auth.createUser(withEmail: Self.email, password: Self.password)
            #expect(created.additionalUserInfo?.isNewUser == true && created.additionalUserInfo?.providerID == "password")
            let user = created.user
            #expect(user.email == Self.email && !user.isAnonymous && !user.isEmailVerified)
            #expect(user.providerData.map(\.providerID) == ["password"])
            #expect(user.metadata.creationDate?.timeIntervalSince1970 == 1_800_000_000)
            try auth.signOut()
            #expect(auth.currentUser == nil)
            let again = try await auth.signIn(withEmail: "Ada@Example.com", password: Self.password)
            #expect(again.user.uid == user.uid && again.additionalUserInfo?.isNewUser == false)
            #expect(server.takeMethods() == ["accounts:signUp", "accounts:lookup", "accounts:signInWithPassword", "accounts:lookup"])
            await server.stop()
        }

        @Test func `an anonymous account gets an address and keeps its id`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            let user = try await auth.signInAnonymously().user
            let states = ListenerTests.Calls()
            let handle = auth.addStateDidChangeListener { states.note($1) }
            await place.drain()
            let uid = user.uid
            let linked = try await user.link(with: EmailAuthProvider.credential(withEmail: Self.email, password: Self.password))
            #expect(linked.user === user && user.uid == uid && !user.isAnonymous && user.email == Self.email)
            // Restored, it is not anonymous either.
            #expect(server.auth(place).currentUser?.isAnonymous == false)
            let credential = EmailAuthProvider.credential(withEmail: Self.email, password: Self.password)
            #expect(await code { try await user.link(with: credential) } == .providerAlreadyLinked)
            await place.drain()
            #expect(states.all == [uid])
            try auth.signOut()
            #expect(try await auth.signIn(withEmail: Self.email, password: Self.password).user.uid == uid)
            auth.removeStateDidChangeListener(handle)
            await server.stop()
        }

        @Test func `wrong arguments fail with their codes, some without a request`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            try await auth.createUser(withEmail: Self.email, password: Self.password)
            _ = server.takeMethods()
            #expect(await code { try await auth.createUser(withEmail: "b@c.de", password: "") } == .weakPassword)
            #expect(await code { try await auth.createUser(withEmail: "", password: "secret") } == .missingEmail)
            #expect(await code { try await auth.signIn(withEmail: Self.email, password: "") } == .wrongPassword)
            #expect(await code { try await auth.signIn(withEmail: Self.email, link: "https://x.y/?mode=signIn") } == .invalidActionCode)
            #expect(await code { try await auth.updateCurrentUser(nil) } == .nullUser)
            #expect(server.takeMethods().isEmpty)
            #expect(await code { try await auth.createUser(withEmail: Self.email, password: Self.password) } == .emailAlreadyInUse)
            #expect(await code { try await auth.createUser(withEmail: "b@c.de", password: "short") } == .weakPassword)
            #expect(await code { try await auth.createUser(withEmail: "nothing", password: Self.password) } == .invalidEmail)
            #expect(await code { try await auth.signIn(withEmail: Self.email, password: "wrong one") } == .wrongPassword)
            #expect(await code { try await auth.signIn(withEmail: "b@c.de", password: "secret") } == .userNotFound)
            #expect(await code { try await auth.signIn(withCustomToken: "rubbish") } == .invalidCustomToken)
            #expect(await code { try await auth.applyActionCode("rubbish") } == .invalidActionCode)
            #expect(auth.currentUser?.email == Self.email)
            await server.stop()
        }

        @Test func `name, picture and password change`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            let user = try await auth.createUser(withEmail: Self.email, password: Self.password).user
            let request = user.createProfileChangeRequest()
            request.displayName = "Ada"
            request.photoURL = URL(string: "https://example.com/ada.png")
            try await request.commitChanges()
            #expect(user.displayName == "Ada" && user.photoURL?.host == "example.com")
            try await user.updatePassword(to: "analytical")
            try await user.reload()
            #expect(auth.currentUser === user && user.displayName == "Ada")
            try auth.signOut()
            #expect(await code { try await auth.signIn(withEmail: Self.email, password: Self.password) } == .wrongPassword)
            try await auth.signIn(withEmail: Self.email, password: "analytical")
            await server.stop()
        }

        @Test func `a password is reset by the code of a message`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            try await auth.createUser(withEmail: Self.email, password: Self.password)
            try auth.signOut()
            auth.languageCode = "de"
            try await auth.sendPasswordReset(withEmail: Self.email)
            #expect(server.requests.withLock { $0.last?.headers["x-firebase-locale"] } == "de")
            let sent = try #require(server.mails.withLock { $0.last })
            #expect(try await auth.verifyPasswordResetCode(sent.code) == Self.email)
            let info = try await auth.checkActionCode(sent.code)
            #expect(info.operation == .passwordReset && info.email == Self.email && info.previousEmail == nil)
            try await auth.confirmPasswordReset(withCode: sent.code, newPassword: "analytical")
            try await auth.signIn(withEmail: Self.email, password: "analytical")
            #expect(await code { _ = try await auth.verifyPasswordResetCode(sent.code) } == .invalidActionCode)
            await server.stop()
        }

        @Test func `a link signs in`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            let settings = ActionCodeSettings()
            #expect(await code { try await auth.sendSignInLink(toEmail: Self.email, actionCodeSettings: settings) } == .missingContinueURI)
            settings.url = URL(string: "http://localhost/welcome?cart=1")
            #expect(await code { try await auth.sendSignInLink(toEmail: Self.email, actionCodeSettings: settings) } == .operationNotAllowed)
            settings.handleCodeInApp = true
            try await auth.sendSignInLink(toEmail: Self.email, actionCodeSettings: settings)
            let sent = try #require(server.mails.withLock { $0.last })
            #expect(auth.isSignIn(withEmailLink: sent.link))
            let result = try await auth.signIn(withEmail: Self.email, link: sent.link)
            #expect(result.user.email == Self.email && result.user.isEmailVerified && result.additionalUserInfo?.isNewUser == true)
            await server.stop()
        }

        @Test func `an address is verified by the code of a message`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            let user = try await auth.createUser(withEmail: Self.email, password: Self.password).user
            try await user.sendEmailVerification()
            let sent = try #require(server.mails.withLock { $0.last })
            #expect(try await auth.checkActionCode(sent.code).operation == .verifyEmail)
            try await auth.applyActionCode(sent.code)
            #expect(!user.isEmailVerified)
            try await user.reload()
            #expect(user.isEmailVerified)
            await server.stop()
        }

        @Test func `a user who signs in again must be the same one`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            try await auth.createUser(withEmail: "bert@example.com", password: Self.password)
            let user = try await auth.createUser(withEmail: Self.email, password: Self.password).user
            try await user.reauthenticate(with: EmailAuthProvider.credential(withEmail: Self.email, password: Self.password))
            #expect(auth.currentUser === user)
            let other = EmailAuthProvider.credential(withEmail: "bert@example.com", password: Self.password)
            #expect(await code { try await user.reauthenticate(with: other) } == .userMismatch)
            let unknown = EmailAuthProvider.credential(withEmail: "carl@example.com", password: Self.password)
            #expect(await code { try await user.reauthenticate(with: unknown) } == .userMismatch)
            #expect(auth.currentUser === user)
            await server.stop()
        }

        @Test func `a user of before becomes the current one again`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            let ada = try await auth.createUser(withEmail: Self.email, password: Self.password).user
            let guest = try await auth.signIn(withCustomToken: #"{"uid": "guest"}"#).user
            try await auth.updateCurrentUser(ada)
            #expect(auth.currentUser === ada)
            #expect(server.auth(place).currentUser?.uid == ada.uid)
            auth.tenantID = "other"
            #expect(await code { try await auth.updateCurrentUser(guest) } == .tenantIDMismatch)
            await server.stop()
        }

        @Test func `a deleted account ends the session, and listeners are called`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let auth = server.auth(place)
            let user = try await auth.signInAnonymously().user
            let states = ListenerTests.Calls()
            let handle = auth.addStateDidChangeListener { states.note($1) }
            server.fail("USER_NOT_FOUND")
            #expect(await code { try await user.reload() } == .userNotFound)
            await place.drain()
            #expect(auth.currentUser == nil && states.all == [user.uid, "-"])
            #expect(server.auth(place).currentUser == nil)
            auth.removeStateDidChangeListener(handle)
            await server.stop()
        }

        @Test func `a stored user without a network stays signed in`() async throws {
            let place = try AuthFixture()
            let server = try await AccountsServer(place.clock)
            let user = try await server.auth(place).signInAnonymously().user
            await server.stop()
            let auth = server.auth(place)
            let restored = try #require(auth.currentUser)
            #expect(restored.uid == user.uid)
            #expect(try await restored.getIDToken() == user.getIDToken())
            place.clock.advance(microseconds: 3_600_000_000)
            #expect(await code { _ = try await restored.getIDToken() } == .networkError)
            #expect(await code { try await restored.reload() } == .networkError)
            #expect(auth.currentUser === restored)
        }
    }
#endif
