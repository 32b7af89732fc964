// SPDX-License-Identifier: Apache-2.0
import Combine
import CoreLocation
import Firebase
import FirebaseAuth
import FirebaseCore
import FirebaseFirestore
import FirebaseFirestoreSwift
import SwiftUI

/// What the guide's sample app does at launch, with the imports it uses.
public enum SampleApp {
    /// - Parameter useEmulator: talk to an emulator on this machine instead of the embedded database.
    public static func launch(useEmulator: Bool) async throws {
        if FirebaseApp.app() == nil {
            FirebaseApp.configure()
        }
        if useEmulator {
            Auth.auth().useEmulator(withHost: "localhost", port: 9099)
            Firestore.firestore().useEmulator(withHost: "localhost", port: 8080)

            let settings = Firestore.firestore().settings
            settings.isPersistenceEnabled = false
            settings.isSSLEnabled = false
            Firestore.firestore().settings = settings
        }
        try await Auth.auth().signInAnonymously()
    }
}
