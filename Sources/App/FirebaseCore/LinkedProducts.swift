// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The products that are linked into the process, found by the names of their classes, as the Apple SDK finds its Swift products.
///
/// Swift runs no code when a module is loaded, so a product cannot register itself. A class that is linked has an entry in the
/// runtime's tables, where Foundation finds it by its name. Linkers keep these entries, also when they remove unused code and symbols:
/// `dev/check-consumer` proves it for a stripped release build.
package enum LinkedProducts {
    /// FirebaseAuth; nil if it is not linked.
    static let auth: (any UserTokenComponent.Type)? = NSClassFromString("FirebaseAuth.AuthComponent") as? any UserTokenComponent.Type

    /// Whether FirebaseFirestore is linked.
    package static let hasFirestore = NSClassFromString("FirebaseFirestore.Firestore") != nil
}

/// The part of FirebaseAuth that other products find.
package protocol UserTokenComponent: AnyObject, SendableMetatype {
    /// The tokens of the user who is signed in to the app.
    static func userTokens(of app: FirebaseApp) -> any UserTokenProvider
}
