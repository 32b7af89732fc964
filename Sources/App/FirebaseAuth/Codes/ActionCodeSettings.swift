// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// The settings of the link in an e-mail message.
public final class ActionCodeSettings: NSObject, Sendable {
    struct Values: Sendable, Hashable {
        var url: URL?
        var handleCodeInApp = false
        var iOSBundleID: String?
        var androidPackageName: String?
        var androidInstallIfNotAvailable = false
        var androidMinimumVersion: String?
        var linkDomain: String?
    }

    private let state = Mutex(Values())

    var values: Values { state.withLock { $0 } }

    /// Creates settings without a URL.
    public override init() { super.init() }

    /// The URL that the link continues to. Its domain must be authorized for the project or the server.
    public var url: URL? {
        get { values.url }
        set { state.withLock { $0.url = newValue } }
    }

    /// Whether the app handles the code, instead of a web page of the server. Must be true for sign-in links.
    public var handleCodeInApp: Bool {
        get { values.handleCodeInApp }
        set { state.withLock { $0.handleCodeInApp = newValue } }
    }

    /// The bundle id of the iOS app that opens the link.
    public var iOSBundleID: String? {
        get { values.iOSBundleID }
        set { state.withLock { $0.iOSBundleID = newValue } }
    }

    /// The package name of the Android app that opens the link.
    public var androidPackageName: String? { values.androidPackageName }
    /// Whether the Android app is installed if it is missing.
    public var androidInstallIfNotAvailable: Bool { values.androidInstallIfNotAvailable }
    /// The lowest version of the Android app that opens the link.
    public var androidMinimumVersion: String? { values.androidMinimumVersion }

    /// The domain of the link, which is one of the project's.
    public var linkDomain: String? {
        get { values.linkDomain }
        set { state.withLock { $0.linkDomain = newValue } }
    }

    /// Sets the bundle id of the iOS app that opens the link.
    public func setIOSBundleID(_ bundleID: String) { iOSBundleID = bundleID }

    /// Sets the Android app that opens the link.
    public func setAndroidPackageName(_ packageName: String, installIfNotAvailable: Bool, minimumVersion: String?) {
        state.withLock { state in
            state.androidPackageName = packageName
            state.androidInstallIfNotAvailable = installIfNotAvailable
            state.androidMinimumVersion = minimumVersion
        }
    }
}

/// The operations that the code of an e-mail message can perform.
public enum ActionCodeOperation: Int, Sendable {
    /// An operation that this version of Hearth does not know.
    case unknown = 0
    /// Sets a new password.
    case passwordReset = 1
    /// Verifies the e-mail address.
    case verifyEmail = 2
    /// Restores an earlier e-mail address.
    case recoverEmail = 3
    /// Signs in.
    case emailLink = 4
    /// Verifies a new e-mail address and changes to it.
    case verifyAndChangeEmail = 5
    /// Removes a second factor.
    case revertSecondFactorAddition = 6

    init(_ requestType: String) {
        self =
            switch requestType {
            case "PASSWORD_RESET": .passwordReset
            case "VERIFY_EMAIL": .verifyEmail
            case "RECOVER_EMAIL": .recoverEmail
            case "EMAIL_SIGNIN": .emailLink
            case "VERIFY_AND_CHANGE_EMAIL": .verifyAndChangeEmail
            case "REVERT_SECOND_FACTOR_ADDITION": .revertSecondFactorAddition
            default: .unknown
            }
    }
}

/// Information about the code of an e-mail message.
public final class ActionCodeInfo: NSObject, Sendable {
    /// The operation that the code performs.
    public let operation: ActionCodeOperation
    /// The e-mail address that the code is for. If the code changes the address, the new one.
    public let email: String
    /// The address before the change; nil if the code does not change it.
    public let previousEmail: String?

    init(_ content: CodeContent) {
        operation = ActionCodeOperation(content.requestType)
        email = content.newEmail ?? content.email ?? ""
        previousEmail = content.newEmail == nil ? nil : content.email
    }
}
