// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// The environment in which credentials are looked up: variables, the home directory, the clock. Tests replace it.
package struct CredentialSurroundings: Sendable {
    package var variables: [String: String]
    package var homeFolder: String
    package var clock: any WallClock
    package var backoff: Backoff
    /// The time limit for an answer of a token endpoint.
    package var patience: Duration

    package init(
        variables: [String: String] = ProcessInfo.processInfo.environment, homeFolder: String = NSHomeDirectory(),
        clock: any WallClock = SystemClock(), backoff: Backoff = .tokens, patience: Duration = .seconds(20)
    ) {
        self.variables = variables
        self.homeFolder = homeFolder
        self.clock = clock
        self.backoff = backoff
        self.patience = patience
    }

    /// A variable that is set and not empty.
    func variable(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// The file of `gcloud auth application-default login`.
    var gcloudFile: String {
        (variable("CLOUDSDK_CONFIG") ?? homeFolder + "/.config/gcloud") + "/application_default_credentials.json"
    }
}

extension Backoff {
    /// The delays between attempts to get a token, for which a call waits.
    package static var tokens: Backoff { Backoff(first: .milliseconds(500), factor: 2, longest: .seconds(60)) }
}
