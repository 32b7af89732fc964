// SPDX-License-Identifier: Apache-2.0
public import Foundation

/// Creates credentials for e-mail addresses.
public final class EmailAuthProvider: NSObject {
    /// The id of the provider: `password`.
    public static let id = "password"

    /// Creates a credential for an e-mail address and its password.
    public class func credential(withEmail email: String, password: String) -> AuthCredential {
        AuthCredential(.password(email: email, password: password))
    }

    /// Creates a credential for an e-mail address and the sign-in link that was sent to it.
    public class func credential(withEmail email: String, link: String) -> AuthCredential {
        AuthCredential(.emailLink(email: email, link: link))
    }
}
