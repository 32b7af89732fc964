// SPDX-License-Identifier: Apache-2.0

/// The environment variables that select a database. Only this type knows their names and their precedence, for apps and
/// for the command.
///
/// Settings and options take precedence over all of them. A variable with an empty value is treated as unset.
package struct DatabaseVariables: Sendable {
    /// Where a database is.
    package enum Place: Sendable, Hashable {
        /// An emulator, or `hearth serve`.
        case server(address: String)
        /// Google's service.
        case cloud
        case file(path: String)
    }

    /// The credentials that settings or options name.
    package enum Credentials: Sendable, CaseIterable {
        case unspecified
        /// For Google's service, which they select.
        case google
        /// For servers and emulators, or explicitly none.
        case other
    }

    private let environment: [String: String]

    package init(_ environment: [String: String]) { self.environment = environment }

    private func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// `host:port` of an emulator or a server.
    package var emulatorHost: String? { value("FIRESTORE_EMULATOR_HOST") }

    /// A key file for Google's service.
    package var credentialsFile: String? { value("GOOGLE_APPLICATION_CREDENTIALS") }

    /// The file of an embedded database.
    package var databaseFile: String? { value("HEARTH_DATABASE") }

    /// The project. It does not select a place.
    package var project: String? { value("GOOGLE_CLOUD_PROJECT") ?? value("GCLOUD_PROJECT") ?? value("FIREBASE_PROJECT_ID") }

    /// The place that the variables name, when settings and options do not name one; nil if the variables do not either.
    ///
    /// 1. `FIRESTORE_EMULATOR_HOST`. It takes precedence over credentials, including those of settings and options, as in all
    ///    of Google's libraries: a test against an emulator must not reach real data.
    /// 2. Credentials for Google's service, from settings and options or from `GOOGLE_APPLICATION_CREDENTIALS`. The variable
    ///    is ignored when other credentials are given.
    /// 3. `HEARTH_DATABASE`.
    package func place(with credentials: Credentials) -> Place? {
        if let address = emulatorHost { return .server(address: address) }
        switch credentials {
        case .google: return .cloud
        case .unspecified: if credentialsFile != nil { return .cloud }
        case .other: break
        }
        return databaseFile.map { .file(path: $0) }
    }
}
