// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation

/// The dependencies of a session, so that tests can replace them.
struct AuthSurroundings: Sendable {
    var clock: any WallClock = SystemClock()
    var sleep: @Sendable (Duration) async -> Void = { try? await Task.sleep(for: $0) }
    var variables: [String: String] = ProcessInfo.processInfo.environment
    var hasFirestore = LinkedProducts.hasFirestore
    /// Opens a place of accounts.
    var backend: @Sendable (IdentityPlace, IdentityConfiguration) -> any IdentityBackend = openIdentityBackend
}

/// The configuration with which a location of accounts is opened.
struct IdentityConfiguration: Sendable {
    /// Options that an app may change at any time. Language and tenant are read for every request; the others are stored for the app.
    struct RequestOptions: Sendable, Hashable {
        var languageCode: String?
        var tenantID: String?
        var customAuthDomain: String?
        var shareAuthStateAcrossDevices = false
    }

    var project: String
    var apiKey: String?
    var clock: any WallClock
    var options: @Sendable () -> RequestOptions
}

/// The backend of a place, as this build has it.
@Sendable func openIdentityBackend(_ place: IdentityPlace, _ configuration: IdentityConfiguration) -> any IdentityBackend {
    #if Remote
        switch place {
        case .local: break
        case .server(let address): return NetworkIdentity(.server(address), configuration)
        case .google: return NetworkIdentity(.google, configuration)
        }
        return LocalIdentity(project: configuration.project, clock: configuration.clock)
    #else
        return place == .local ? LocalIdentity(project: configuration.project, clock: configuration.clock) : UnreachableIdentity()
    #endif
}
