// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore

/// What other products find by its name (`LinkedProducts`): `FirebaseAuth.AuthComponent`.
final class AuthComponent: UserTokenComponent {
    private static let instances = Mutex(Instances())

    private struct Instances {
        var byApp: [ObjectIdentifier: Auth] = [:]
        var watchesApps = false
    }

    static func userTokens(of app: FirebaseApp) -> any UserTokenProvider { auth(of: app).session }

    /// The instance of an app, the same until the app is deleted.
    static func auth(of app: FirebaseApp) -> Auth {
        let (auth, isFirst) = instances.withLock { instances in
            let isFirst = !instances.watchesApps
            instances.watchesApps = true
            let auth = instances.byApp[ObjectIdentifier(app)] ?? Auth(app, AuthSession(app))
            instances.byApp[ObjectIdentifier(app)] = auth
            return (auth, isFirst)
        }
        if isFirst {
            FirebaseApp.onDeletion { app in
                instances.withLock { $0.byApp.removeValue(forKey: ObjectIdentifier(app)) }?.session.shutDown()
            }
        }
        return auth
    }
}
