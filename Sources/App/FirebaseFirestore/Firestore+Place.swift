// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirestoreCore
import Foundation

extension Firestore {
    /// Records whether these settings lead to a server: FirebaseAuth chooses the location of accounts accordingly.
    func notePlace(_ settings: SettingsValues) {
        guard !isOverService else { return }
        let place = try? DatabasePlace.find(
            settings: settings, databaseID: DatabaseID(projectID: app.projectID), environment: ProcessInfo.processInfo.environment)
        switch place {
        case .server, .cloud: app.noteDatabase(isRemote: true)
        case .embedded: app.noteDatabase(isRemote: false)
        // The settings contradict each other, which the first operation reports.
        case nil: break
        }
    }
}
