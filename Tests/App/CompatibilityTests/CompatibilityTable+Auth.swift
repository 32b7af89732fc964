// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Firebase
import Foundation
import ModeSupport

/// An Auth instance with local accounts, and what needs a server: there it fails with `operationNotAllowed`.
private func scratchAuth() -> Auth {
    let auth = Auth.auth(app: Scratch.app())
    auth.settings?.persistence = .memory
    auth.settings?.callbackQueue = DispatchQueue(label: "compatibility")
    return auth
}

private let needsServer = "needs a server; with local accounts it fails with `operationNotAllowed`"

private func needsServer(_ body: () async throws -> Void) async -> Bool {
    do {
        try await body()
        return false
    } catch {
        return error as? AuthErrorCode == .operationNotAllowed
    }
}

private func code(_ body: (@escaping ((any Error)?) -> Void) -> Void) async -> AuthErrorCode? {
    let error: (any Error)? = await withCheckedContinuation { continuation in body { continuation.resume(returning: $0) } }
    return error as? AuthErrorCode
}

extension CompatibilityTable {
    static func auth() -> CompatibilitySection {
        var section = CompatibilitySection("20.1", "Auth")
        section.row(
            .core, "class func auth() -> Auth", "class func auth(app: FirebaseApp) -> Auth",
            differs: "works without `FirebaseApp.configure()`, too"
        ) { _ in
            let make: () -> Auth = Auth.auth
            let app = Scratch.app()
            return Auth.auth(app: app) === Auth.auth(app: app) && Auth.auth(app: app).app === app && "\(type(of: make))" == "() -> Auth"
        }
        section.row(.core, "var currentUser: User? { get }") { _ in
            let auth = scratchAuth()
            let before: User? = auth.currentUser
            try await auth.signInAnonymously()
            return before == nil && auth.currentUser?.isAnonymous == true
        }
        section.row(
            .core, "func useEmulator(withHost host: String, port: Int)",
            differs: "also for `hearth serve --auth`; without it and without an API key accounts are local"
        ) { _ in
            let auth = scratchAuth()
            try await auth.signInAnonymously()
            auth.useEmulator(withHost: "127.0.0.1", port: 9)
            return auth.currentUser == nil
        }
        section.row(
            .core, "func signInAnonymously() async throws -> AuthDataResult",
            "func signInAnonymously(completion: ((AuthDataResult?, Error?) -> Void)? = nil)"
        ) { _ in
            let auth = scratchAuth()
            let first: AuthDataResult = try await auth.signInAnonymously()
            let second: String? = await withCheckedContinuation { continuation in
                auth.signInAnonymously { result, _ in continuation.resume(returning: result?.user.uid) }
            }
            return first.user.uid == second && first.additionalUserInfo?.isNewUser == true
        }
        section.row(
            .core, "func createUser(withEmail email: String, password: String) async throws -> AuthDataResult",
            "func signIn(withEmail email: String, password: String) async throws -> AuthDataResult",
            "func signIn(withEmail email: String, link: String) async throws -> AuthDataResult",
            "func signIn(with credential: AuthCredential) async throws -> AuthDataResult", differs: needsServer
        ) { _ in
            let auth = scratchAuth()
            let link = "https://x.y/?mode=signIn&oobCode=c"
            var holds = auth.isSignIn(withEmailLink: link)
            holds = await needsServer { try await auth.createUser(withEmail: "a@b.c", password: "secret") } && holds
            holds = await needsServer { try await auth.signIn(withEmail: "a@b.c", password: "secret") } && holds
            holds = await needsServer { try await auth.signIn(withEmail: "a@b.c", link: link) } && holds
            let credential = GoogleAuthProvider.credential(withIDToken: "t", accessToken: "a")
            return await needsServer { try await auth.signIn(with: credential) } && holds
        }
        section.row(.core, "func signIn(withCustomToken token: String) async throws -> AuthDataResult") { _ in
            try await scratchAuth().signIn(withCustomToken: #"{"uid": "ada"}"#).user.uid == "ada"
        }
        section.row(.core, "func signOut() throws") { _ in
            let auth = scratchAuth()
            try await auth.signInAnonymously()
            try auth.signOut()
            try auth.signOut()
            return auth.currentUser == nil
        }
        section.row(.full, "func updateCurrentUser(_ user: User) async throws") { _ in
            let auth = scratchAuth()
            let ada = try await auth.signIn(withCustomToken: #"{"uid": "ada"}"#).user
            try await auth.signIn(withCustomToken: #"{"uid": "bert"}"#)
            try await auth.updateCurrentUser(ada)
            return auth.currentUser?.uid == "ada"
        }
        section.row(
            .core, "func addStateDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> AuthStateDidChangeListenerHandle",
            "func removeStateDidChangeListener(_ listenerHandle: AuthStateDidChangeListenerHandle)",
            "func addIDTokenDidChangeListener(_ listener: @escaping (Auth, User?) -> Void) -> IDTokenDidChangeListenerHandle",
            "func removeIDTokenDidChangeListener(_ listenerHandle: IDTokenDidChangeListenerHandle)",
            differs: "on the queue of `Auth.auth().settings`, the main queue by default"
        ) { _ in
            let auth = scratchAuth()
            let told = Collector<String>()
            let state: AuthStateDidChangeListenerHandle = auth.addStateDidChangeListener { _, user in told.append(user?.uid ?? "-") }
            let first = await told.first(1)
            auth.removeStateDidChangeListener(state)
            let token: IDTokenDidChangeListenerHandle = auth.addIDTokenDidChangeListener { _, user in told.append(user?.uid ?? "-") }
            try await auth.signIn(withCustomToken: #"{"uid": "ada"}"#)
            let all = await told.first(3)
            auth.removeIDTokenDidChangeListener(token)
            return first == ["-"] && all == ["-", "-", "ada"]
        }
        section.row(.full, "var authStateChanges: some AsyncSequence<User?, Never> { get }") { _ in
            let auth = scratchAuth()
            var iterator = auth.authStateChanges.makeAsyncIterator()
            try await auth.signIn(withCustomToken: #"{"uid": "ada"}"#)
            let first = await iterator.next()
            let second = await iterator.next()
            return first == .some(nil) && second??.uid == "ada"
        }
        section.row(
            .full, "func sendPasswordReset(withEmail email: String) async throws",
            "func confirmPasswordReset(withCode code: String, newPassword: String) async throws",
            "func verifyPasswordResetCode(_ code: String) async throws -> String",
            "func checkActionCode(_ code: String) async throws -> ActionCodeInfo", "func applyActionCode(_ code: String) async throws",
            "func sendSignInLink(toEmail email: String, actionCodeSettings: ActionCodeSettings) async throws", differs: needsServer
        ) { _ in
            let auth = scratchAuth()
            let settings = ActionCodeSettings()
            settings.url = URL(string: "http://localhost")
            settings.handleCodeInApp = true
            var holds = await needsServer { try await auth.sendPasswordReset(withEmail: "a@b.c") }
            holds = await needsServer { try await auth.confirmPasswordReset(withCode: "c", newPassword: "secret") } && holds
            holds = await needsServer { _ = try await auth.verifyPasswordResetCode("c") } && holds
            holds = await needsServer { _ = try await auth.checkActionCode("c") } && holds
            holds = await needsServer { try await auth.applyActionCode("c") } && holds
            return await needsServer { try await auth.sendSignInLink(toEmail: "a@b.c", actionCodeSettings: settings) } && holds
        }
        section.row(.full, "var languageCode: String? { get set }", "func useAppLanguage()", "var tenantID: String? { get set }") { _ in
            let auth = scratchAuth()
            (auth.languageCode, auth.tenantID) = ("de", "t")
            let isKept = auth.languageCode == "de" && auth.tenantID == "t"
            auth.useAppLanguage()
            return isKept && auth.languageCode != nil
        }
        section.row(
            .full, "var customAuthDomain: String? { get set }", "var shareAuthStateAcrossDevices: Bool { get set }",
            "var userAccessGroup: String? { get }",
            differs: "stored, but without effect, because Hearth has neither sign-in pages nor a keychain; `userAccessGroup` is always nil"
        ) { _ in
            let auth = scratchAuth()
            (auth.customAuthDomain, auth.shareAuthStateAcrossDevices) = ("auth.example.com", true)
            return auth.customAuthDomain == "auth.example.com" && auth.shareAuthStateAcrossDevices && auth.userAccessGroup == nil
        }
        section.row(
            .full, "func revokeToken(withAuthorizationCode authorizationCode: String) async throws",
            differs: "Google's service only; otherwise it fails with `operationNotAllowed`, and with `nullUser` if no user is signed in"
        ) { _ in
            let auth = scratchAuth()
            let none = await code { done in auth.revokeToken(withAuthorizationCode: "c", completion: done) }
            try await auth.signInAnonymously()
            return await needsServer { try await auth.revokeToken(withAuthorizationCode: "c") } && none == .nullUser
        }
        section.row(
            .full, "enum AuthProviderID",
            "static func credential(providerID: AuthProviderID, idToken: String, rawNonce: String, accessToken: String? = nil) -> OAuthCredential",
            "class OAuthCredential: AuthCredential"
        ) { _ in
            let credential: AuthCredential = OAuthProvider.credential(providerID: .apple, idToken: "t", rawNonce: "n")
            return credential.provider == AuthProviderID.apple.rawValue && (credential as? OAuthCredential)?.idToken == "t"
        }
        section.row(
            .full, "func canHandle(_ url: URL) -> Bool", "PhoneAuthProvider", "MultiFactor", "GameCenterAuthProvider",
            absent: "phone numbers, second factors and Game Center; they belong to Apple's systems or to text messages"
        ) { _ in true }
        section.row(
            .full, "OAuthProvider(providerID:)", "AuthUIDelegate", "FederatedAuthProvider", "func signIn(with provider: FederatedAuthProvider, uiDelegate:)",
            absent: "sign-in pages in a browser; the app obtains the tokens and makes a credential of them"
        ) { _ in true }
        section.row(
            .full, "func useUserAccessGroup(_ accessGroup: String?) throws", "func getStoredUser(forAccessGroup accessGroup: String?) throws -> User?",
            absent: "access groups belong to the keychain; the user is stored in a file"
        ) { _ in true }
        section.row(
            .full, "func initializeRecaptchaConfig() async throws", "var apnsToken: Data?", "func setAPNSToken(_ token: Data, type: AuthAPNSTokenType)",
            "func canHandleNotification(_ userInfo: [AnyHashable: Any]) -> Bool",
            absent: "reCAPTCHA and push notifications, which verify apps on Apple's systems"
        ) { _ in true }
        section.row(
            .full, "class ActionCodeURL", "func validatePassword(_ password: String) async throws -> PasswordValidationStatus",
            absent: "use `checkActionCode(_:)` for the meaning of a code; the server checks passwords when they are set"
        ) { _ in true }
        return section
    }

    static func authUser() -> CompatibilitySection {
        var section = CompatibilitySection("20.2", "User")
        section.row(
            .core, "var uid: String { get }", "var email: String? { get }", "var displayName: String? { get }", "var photoURL: URL? { get }",
            "var phoneNumber: String? { get }", "var providerID: String { get }", "var isAnonymous: Bool { get }",
            "var isEmailVerified: Bool { get }", "var providerData: [UserInfo] { get }", "var metadata: UserMetadata { get }"
        ) { _ in
            let user = try await scratchAuth().signInAnonymously().user
            let info: any UserInfo = user
            return info.providerID == "Firebase" && info.uid == user.uid && user.email == nil && user.phoneNumber == nil && !user.isEmailVerified
                && user.providerData.isEmpty && user.metadata.creationDate != nil && user.isAnonymous
        }
        section.row(
            .core, "func getIDToken(forcingRefresh: Bool = false) async throws -> String",
            "func getIDTokenResult(forcingRefresh: Bool = false) async throws -> AuthTokenResult",
            differs: "those of local accounts have no signature"
        ) { _ in
            let user = try await scratchAuth().signIn(withCustomToken: #"{"uid": "ada", "claims": {"role": "admin"}}"#).user
            let result: AuthTokenResult = try await user.getIDTokenResult()
            let token: String = try await user.getIDToken()
            return result.token == token && result.claims["role"] as? String == "admin" && result.expirationDate > result.issuedAtDate
        }
        section.row(.core, "func reload() async throws", "func delete() async throws") { _ in
            let auth = scratchAuth()
            let user = try await auth.signInAnonymously().user
            try await user.reload()
            let isThere = auth.currentUser === user
            try await user.delete()
            return isThere && auth.currentUser == nil
        }
        section.row(
            .core, "func createProfileChangeRequest() -> UserProfileChangeRequest", "func commitChanges() async throws"
        ) { _ in
            let user = try await scratchAuth().signInAnonymously().user
            let request: UserProfileChangeRequest = user.createProfileChangeRequest()
            request.displayName = "Ada"
            try await request.commitChanges()
            return user.displayName == "Ada"
        }
        section.row(
            .core, "func link(with credential: AuthCredential) async throws -> AuthDataResult",
            "func unlink(fromProvider provider: String) async throws -> User",
            "func reauthenticate(with credential: AuthCredential) async throws -> AuthDataResult",
            "func updatePassword(to password: String) async throws", differs: needsServer
        ) { _ in
            let user = try await scratchAuth().signInAnonymously().user
            let credential = EmailAuthProvider.credential(withEmail: "a@b.c", password: "secret")
            var holds = await needsServer { try await user.link(with: credential) }
            holds = await needsServer { try await user.reauthenticate(with: credential) } && holds
            holds = await needsServer { try await user.updatePassword(to: "secret") } && holds
            return await code { done in user.unlink(fromProvider: "password") { _, error in done(error) } } == .noSuchProvider && holds
        }
        section.row(.core, "enum AuthErrorCode: Int", "AuthErrors.domain") { _ in
            let error: any Error = NSError(domain: AuthErrors.domain, code: 17009)
            return AuthErrorCode(rawValue: (error as NSError).code) == .wrongPassword && error as? AuthErrorCode == .wrongPassword
        }
        return section
    }
}
