// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore

/// The class that other products find by its name, `FirebaseAuth.AuthComponent` (see `LinkedProducts`).
final class AuthComponent: UserTokenComponent {
    private static let instances = Mutex(Instances())

    private struct Instances {
        var byApp: [ObjectIdentifier: Auth] = [:]
    }

    /// Evaluated once, before the first instance is registered.
    private static let watchesApps: Bool = {
        FirebaseApp.onDeletion { app in
            instances.withLock { $0.byApp.removeValue(forKey: ObjectIdentifier(app)) }?.session.shutDown()
        }
        return true
    }()

    static func userTokens(of app: FirebaseApp) -> any UserTokenProvider { auth(of: app).session }

    /// The instance of an app, the same until the app is deleted. The instance of a deleted app is not retained, and no
    /// user is signed in to it.
    static func auth(of app: FirebaseApp) -> Auth {
        let isWatching = watchesApps
        let (auth, isKept) = instances.withLock { instances -> (Auth, Bool) in
            if let auth = instances.byApp[ObjectIdentifier(app)] { return (auth, true) }
            let auth = Auth(app, AuthSession(app))
            // After this test the handler is notified of the deletion.
            guard isWatching, !app.isDeleted else { return (auth, false) }
            instances.byApp[ObjectIdentifier(app)] = auth
            return (auth, true)
        }
        if !isKept { auth.session.shutDown() }
        return auth
    }
}
