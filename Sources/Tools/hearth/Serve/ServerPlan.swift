// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication

/// What the settings of a server come to, as far as several of its parts need to know it.
struct ServerPlan {
    let values: SettingValues
    let environment: [String: String]
    /// Where the databases are, as the line says that announces the server.
    var place: String
    var usesTLS = false
    /// Whether several nodes share the databases.
    var isShared = false
    /// Whether callers are believed without proof, as by the emulators.
    var isDevelopment = false
    var trustedProxies = TrustedProxies.none
    var hasRules = false
    /// The projects whose tokens Google signs.
    var firebaseProjects: [String] = []
    /// The project that the accounts of the server belong to.
    var accountsProject: String?
    /// The projects whose default databases exist from the start.
    var projects: [String] = []
    /// The files that the server is configured with, which an archive copies.
    var configurationFiles: [String] = []

    var data: String? { values[ServerSettings.data] }
    var host: String { values[ServerSettings.host] }
    var project: String? { values[ServerSettings.project] }

    /// How long the end of the server may take.
    var grace: Duration { .seconds(values[ServerSettings.grace]) }
}
