// SPDX-License-Identifier: Apache-2.0
public import Dispatch
import FirestoreCore
public import Foundation

/// The settings of an ``Auth`` instance.
///
/// `Auth.auth().settings` is the object in use: changes take effect at once. Set ``persistence`` at launch, before the first use of
/// the current user.
public final class AuthSettings: NSObject, Sendable {
    /// Where the signed-in user is kept.
    ///
    /// Beyond the Apple SDK, which uses the keychain.
    public enum Persistence: Hashable, Sendable {
        /// A file in the user's application-support directory, readable by this user of the machine only. In memory if
        /// only the environment names the place of the accounts (`FIREBASE_AUTH_EMULATOR_HOST`, `HEARTH_DATABASE=:memory:`), so that
        /// a test run leaves nothing behind.
        case automatic
        /// The same in another directory.
        case directory(URL)
        /// Only as long as the process runs.
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

    /// Settings with the default values.
    public override init() { super.init() }

    /// Where the signed-in user is kept. One of each place of accounts, app and project is: a change of the place restores its user.
    ///
    /// Beyond the Apple SDK.
    public var persistence: Persistence {
        get { values.persistence }
        set { state.withLock { $0.persistence = newValue } }
    }

    /// The queue on which listeners and completion handlers are called; the main queue by default. A program without a main run
    /// loop, such as a server, sets another serial queue.
    ///
    /// Beyond the Apple SDK.
    public var callbackQueue: DispatchQueue {
        get { values.callbackQueue }
        set { state.withLock { $0.callbackQueue = newValue } }
    }

    /// Accepted and without effect: phone numbers are not supported.
    public var isAppVerificationDisabledForTesting: Bool {
        get { values.isAppVerificationDisabledForTesting }
        set { state.withLock { $0.isAppVerificationDisabledForTesting = newValue } }
    }
}
