// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation
import Testing

/// Rows about state that exists once per process, each proved in a separate process, without effect on other tests.
enum OwnProcess {
    static func configuresTheDefaultApp() async throws {
        try await #require(processExitsWith: .success) {
            try hold(FirebaseApp.app() == nil)
            FirebaseApp.configure()
            let app: FirebaseApp? = FirebaseApp.app()
            try hold(app?.name == "__FIRAPP_DEFAULT" && app?.options.projectID?.isEmpty == false)
        }
    }

    static func configuresTheDefaultAppWithOptions() async throws {
        try await #require(processExitsWith: .success) {
            let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "1")
            options.projectID = "demo-options"
            FirebaseApp.configure(options: options)
            options.projectID = "changed later"
            try hold(FirebaseApp.app()?.options.projectID == "demo-options")
        }
    }

    static func opensTheDefaultDatabase() async throws {
        try await #require(processExitsWith: .success) {
            let implicit: Firestore = Firestore.firestore()
            let settings = implicit.settings
            settings.storage = .memory
            implicit.settings = settings
            try await implicit.document("a/b").setData(["n": 1])
            try hold(implicit === Firestore.firestore() && implicit === Firestore.firestore(database: "(default)"))
            let named: Firestore = Firestore.firestore(database: "other")
            try hold(named === Firestore.firestore(database: "other") && named !== implicit)
            FirebaseApp.configure()
            try hold(Firestore.firestore().app === FirebaseApp.app())
        }
    }

    static func setsTheLoggerLevel() async throws {
        try await #require(processExitsWith: .success) {
            try hold(FirebaseConfiguration.shared.loggerLevel() == .notice)
            FirebaseConfiguration.shared.setLoggerLevel(.error)
            try hold(FirebaseConfiguration.shared.loggerLevel() == .error)
            Firestore.enableLogging(true)
            try hold(FirebaseConfiguration.shared.loggerLevel() == .debug)
            Firestore.enableLogging(false)
            try hold(FirebaseConfiguration.shared.loggerLevel() == .notice)
        }
    }
}

private struct DoesNotHold: Error {}

// Outside of the type, because code that runs in a separate process must not capture anything.
private func hold(_ condition: Bool) throws {
    if !condition { throw DoesNotHold() }
}
