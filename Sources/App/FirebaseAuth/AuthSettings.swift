// SPDX-License-Identifier: Apache-2.0
public import Dispatch
import FirestoreCore
public import Foundation

/// The settings of an ``Auth`` instance.
///
/// `Auth.auth().settings` is the object in use: changes take effect immediately. Set ``persistence`` at launch, before the first use of
/// the current user.
public final class AuthSettings: NSObject, Sendable {
    /// A place where the signed-in user is stored.
    ///
    /// Beyond the Apple SDK, which uses the keychain.
    public enum Persistence: Hashable, Sendable {
        /// A file in the application-support directory that only its owner can read. If only environment variables select the location of
        /// the accounts (`FIREBASE_AUTH_EMULATOR_HOST`, `HEARTH_DATABASE=:memory:`), the user is stored in memory, so that a test run
        /// leaves nothing behind.
        case automatic
        /// A file in this directory that only its owner can read.
        case directory(URL)
        /// The memory of the process.
        case memory
    }

    struct Values: Sendable {
        var isAppVerificationDisabledForTesting = false
        var persistence = Persistence.automatic
        var callbackQueue = DispatchQueue.main
    }

    private let state = Mutex(Values())

    var values: Values {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    /// Creates settings with the default values.
    public override init() { super.init() }

    /// Where the signed-in user is stored.
    ///
    /// One user is stored for each app, project and place of accounts. A change of the place restores the user of the new place.
    ///
    /// Beyond the Apple SDK.
    public var persistence: Persistence {
        get { values.persistence }
        set { state.withLock { $0.persistence = newValue } }
    }

    /// The queue on which listeners and completion handlers are called; the main queue by default. Set another serial queue in a
    /// program without a main run loop, such as a server.
    ///
    /// Beyond the Apple SDK.
    public var callbackQueue: DispatchQueue {
        get { values.callbackQueue }
        set { state.withLock { $0.callbackQueue = newValue } }
    }

    /// Whether phone numbers are verified without the app's verification. Has no effect, because phone numbers are not supported.
    public var isAppVerificationDisabledForTesting: Bool {
        get { values.isAppVerificationDisabledForTesting }
        set { state.withLock { $0.isAppVerificationDisabledForTesting = newValue } }
    }
}
