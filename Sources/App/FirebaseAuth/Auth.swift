// SPDX-License-Identifier: Apache-2.0
public import FirebaseCore
import FirestoreCore
public import Foundation

/// Signs users in and out, and tracks the current user.
///
/// ```swift
/// let result = try await Auth.auth().signInAnonymously()
/// print(result.user.uid)
/// ```
/// The configuration decides where accounts are stored. In order of precedence:
///
/// 1. a server: ``useEmulator(withHost:port:)``, ``useServer(_:)``, or the variable `FIREBASE_AUTH_EMULATOR_HOST`;
/// 2. Google's service, if `FirebaseOptions.apiKey` is set and the app's Firestore is not embedded;
/// 3. otherwise the process itself, with local accounts of anonymous users and of custom tokens. They need no server and prove
///    nothing, so they are for embedded databases and development servers.
///
/// Firestore uses the signed-in user without further configuration: it attaches the user's token to its calls, and maintains a separate
/// queue of writes for each user. The signed-in user is stored in a file and restored at the next launch, also without a network.
///
/// All methods may be called from any thread. `async` methods resume in the isolation of their caller; listeners and completion
/// handlers are called on the queue of the ``settings``, the main queue by default. Errors are listed in ``AuthErrorCode``; all
/// methods that make a request fail with `networkError` while the server cannot be reached.
public final class Auth: NSObject, Sendable {
    /// The app whose users sign in.
    public let app: FirebaseApp?
    let session: AuthSession

    init(_ app: FirebaseApp?, _ session: AuthSession) {
        self.app = app
        self.session = session
        super.init()
        session.onUserChange { [weak self] in NotificationCenter.default.post(name: Auth.authStateDidChangeNotification, object: self) }
    }

    /// Returns the instance of the default app, which is always the same object.
    ///
    /// It works without `FirebaseApp.configure()`, using the options `configure()` would load.
    public class func auth() -> Auth { AuthComponent.auth(of: .defaultOrImplicit()) }

    /// Returns the instance of an app, which is the same object until the app is deleted.
    public class func auth(app: FirebaseApp) -> Auth { AuthComponent.auth(of: app) }

    /// The signed-in user; nil if there is none.
    ///
    /// Reading it makes no request. The first access reads the file of the stored user.
    public var currentUser: User? { session.current }

    // MARK: Configuration

    /// Uses the accounts of `hearth serve --auth` or of the official emulator, without encryption.
    ///
    /// Call it at launch, before the first request. The user who was last signed in there is restored.
    ///
    /// - Parameters:
    ///   - host: The host. An empty one is a programming error: the process crashes with a message.
    ///   - port: The port, usually 9099.
    public func useEmulator(withHost host: String, port: Int) {
        if host.isEmpty { endForMisuse("useEmulator needs the host of the emulator, such as 127.0.0.1") }
        session.use(ServerAddress(host: host, port: port))
    }

    /// Uses the accounts of a Hearth server, by its `https` URL.
    ///
    /// Call it at launch, before the first request. A URL of another scheme is a programming error: the process crashes with a message.
    ///
    /// Beyond the Apple SDK.
    public func useServer(_ url: URL) {
        guard let address = ServerAddress(url) else { endForMisuse("useServer needs an https:// or http:// URL with a host") }
        session.use(address)
    }

    /// The settings in use: where the user is stored, and the queue of callbacks. Assigning an object copies its values.
    public var settings: AuthSettings? {
        get { session.settings }
        set { session.settings.values = (newValue ?? AuthSettings()).values }
    }

    /// The language of e-mail messages, as an IETF tag such as `de`; nil for the server's default.
    public var languageCode: String? {
        get { session.options.languageCode }
        set { session.setOptions { $0.languageCode = newValue } }
    }

    /// Sets ``languageCode`` to the language of the process.
    public func useAppLanguage() { languageCode = Locale.preferredLanguages.first ?? Locale.current.identifier }

    /// The tenant that users sign in to; nil without tenants.
    public var tenantID: String? {
        get { session.options.tenantID }
        set { session.setOptions { $0.tenantID = newValue } }
    }

    /// The access group of the keychain. Always nil, because Hearth does not use the keychain.
    public var userAccessGroup: String? { nil }

    /// Whether devices share the signed-in user through the keychain. Has no effect, because Hearth does not use the keychain.
    public var shareAuthStateAcrossDevices: Bool {
        get { session.options.shareAuthStateAcrossDevices }
        set { session.setOptions { $0.shareAuthStateAcrossDevices = newValue } }
    }

    /// The domain of sign-in pages. Has no effect, because Hearth does not present sign-in pages.
    public var customAuthDomain: String? {
        get { session.options.customAuthDomain }
        set { session.setOptions { $0.customAuthDomain = newValue } }
    }

    /// The name of the app and the id of the user, as text.
    public override var description: String {
        "<Auth: app=\(app?.name ?? "none") user=\(currentUser?.uid ?? "none")>"
    }
}
