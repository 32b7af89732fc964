// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
public import Foundation

/// How the link of an e-mail message continues in the app.
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

    /// Settings without a link.
    public override init() { super.init() }

    /// Where the link continues. Its domain has to be authorized for the project or the server.
    public var url: URL? {
        get { values.url }
        set { state.withLock { $0.url = newValue } }
    }

    /// Whether the app uses the code itself, instead of a page of the server. Must be true for sign-in links.
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

    /// The domain of the link, of those that the project has.
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

/// What a code of an e-mail message does.
public enum ActionCodeOperation: Int, Sendable {
    /// Something that this version does not know.
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

/// What a code of an e-mail message is for.
public final class ActionCodeInfo: NSObject, Sendable {
    /// What the code does.
    public let operation: ActionCodeOperation
    /// The address that the code is about; the new one, if it changes the address.
    public let email: String
    /// The address before the change; nil if the code does not change it.
    public let previousEmail: String?

    init(_ content: CodeContent) {
        operation = ActionCodeOperation(content.requestType)
        email = content.newEmail ?? content.email ?? ""
        previousEmail = content.newEmail == nil ? nil : content.email
    }
}
