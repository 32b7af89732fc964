// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreServer

extension ConsoleRequests {
    /// The calls of a server with this console.
    convenience init(_ console: ConsoleSettings, others: any CallAuthentication, isDevelopment: Bool) {
        var settings = Settings()
        settings.showsValues = console.showsValues
        settings.explainsValues = isDevelopment || console.showsValues
        let authentication = ConsoleAuthentication(console, others: others)
        self.init(settings, authentication: authentication) { call in
            switch authentication.kind(of: call) {
            case .own?: .console
            case .viewingAs?: .consoleAs
            case nil: .app
            }
        }
    }
}
