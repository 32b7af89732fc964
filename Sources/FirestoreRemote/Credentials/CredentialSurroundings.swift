// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import Foundation

/// What the search for credentials looks at: variables, the home folder, the clock. Tests bring their own.
package struct CredentialSurroundings: Sendable {
    package var variables: [String: String]
    package var homeFolder: String
    package var clock: any WallClock
    package var backoff: Backoff
    /// How long a token endpoint may take for an answer.
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

    /// A variable that is set to something.
    func variable(_ name: String) -> String? { variables[name].flatMap { $0.isEmpty ? nil : $0 } }

    /// Where `gcloud auth application-default login` leaves its file.
    var gcloudFile: String {
        (variable("CLOUDSDK_CONFIG") ?? homeFolder + "/.config/gcloud") + "/application_default_credentials.json"
    }
}

extension Backoff {
    /// Between attempts to get a token; a call waits for it.
    package static var tokens: Backoff { Backoff(first: .milliseconds(500), factor: 2, longest: .seconds(60)) }
}
