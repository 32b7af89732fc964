// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The triggers of a server, for the console. The server knows none; the process that starts it provides them.
package protocol ConsoleTriggers: Sendable {
    /// The triggers for changes of a database, in the order of their file, and how far each is.
    func triggers(of database: DatabaseID) async -> [JSON]
}
