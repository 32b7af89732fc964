// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC
package import FirestoreGateway
package import FirestoreServer

/// How a server shows its console.
package struct ConsoleSettings: Sendable {
    package var token: ConsoleToken
    /// Rejects what writes, for calls with the token.
    package var isReadOnly = false
    /// Whether requests are shown with their values, which may be personal.
    package var showsValues = false
    /// Reads the pages from a directory, for work on them; nil: those inside the program.
    package var directory: String?
    /// The project that the page shows first.
    package var project: String?
    /// Reads and writes the formats of the command line; nil for a server that cannot.
    package var files: (any ConsoleFiles)?
    /// The accounts that the server manages; nil if it manages none.
    package var users: (any ConsoleUsers)?
    /// The archive of the server; nil if it has none.
    package var archive: (any ConsoleArchive)?
    /// The triggers of the server; nil if it has none.
    package var triggers: (any ConsoleTriggers)?
    /// Measures the calls of the server; nil if it measures none.
    package var slowCalls: SlowCalls?
    /// Whether the server rejects lists that are granted without proof.
    package var strictLists = false
    /// The server's settings that the page shows, without secrets.
    package var serverSettings = JSON.object([])
    /// Whether a call has crossed no network in the clear; the token is not accepted in others.
    package var isProtected: @Sendable (RPCCallInfo) -> Bool = { _ in true }
    /// The advice for the operator in rejections.
    package var advice = OperatorAdvice.none

    package init(token: ConsoleToken) { self.token = token }
}

extension ConsoleSettings {
    var readOnly: FirestoreError { FirestoreError(.permissionDenied, "the console is read-only here\(advice(.consoleWrites))") }
    var noArchive: FirestoreError { FirestoreError(.notFound, "this server has no archive\(advice(.archive))") }
    var noSlowCalls: FirestoreError { FirestoreError(.notFound, "this server does not measure its calls\(advice(.slowCalls))") }
    var noAccounts: FirestoreError { FirestoreError(.notFound, "this server keeps no accounts\(advice(.accounts))") }
}
