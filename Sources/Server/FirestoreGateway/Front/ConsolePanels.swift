// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The accounts of users, for the console. The server knows no accounts; the process that starts it provides them.
package protocol ConsoleUsers: Sendable {
    /// Which accounts there are, for `/console/api/server`.
    var summary: JSON { get }

    /// Answers a question about accounts. The caller is an administrator; for a read-only console the question is one that reads.
    func respond(to question: ConsoleUsersQuestion) async throws(FirestoreError) -> JSON
}

/// A page's question about accounts.
package struct ConsoleUsersQuestion: Sendable {
    package enum Verb: Sendable { case read, change, delete }

    package let verb: Verb
    /// The parameters of the URL: `project`, `search`, `after`, `limit`, `codes`, `id`.
    package let parameters: [String: String]
    /// The body of a change, a JSON object.
    package let body: JSON
    /// The address of the caller.
    package let peer: String

    package init(_ verb: Verb, parameters: [String: String], body: JSON = .object([]), peer: String = "") {
        self.verb = verb
        self.parameters = parameters
        self.body = body
        self.peer = peer
    }
}

/// The archive of a server, for the console. The server knows none; the process that starts it provides it.
package protocol ConsoleArchive: Sendable {
    /// What all archives of the server have in common, for `/console/api/server`.
    var summary: JSON { get }

    /// How far the archive of a database is, and which moments can be restored. May ask the place of the archive.
    func report(on database: DatabaseID) async throws(FirestoreError) -> JSON
}

/// The triggers of a server, for the console. The server knows none; the process that starts it provides them.
package protocol ConsoleTriggers: Sendable {
    /// The triggers for changes of a database, in the order of their file, and how far each is.
    func triggers(of database: DatabaseID) async -> [JSON]
}
