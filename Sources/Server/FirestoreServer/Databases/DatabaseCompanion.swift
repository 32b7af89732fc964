// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEngine

/// What accompanies the databases of a server while they are open: their archive, the delivery of their events.
///
/// A companion does not keep a database open, unless it holds the service that the registry returns.
package protocol DatabaseCompanion: AnyObject, Sendable {
    /// The server answers calls.
    func started(_ databases: DatabaseRegistry)

    /// A database is about to be open: no caller has it before this returns. Called on a thread that may wait.
    func opening(_ database: DatabaseID, _ engine: Engine)

    /// A database was opened. Callers may have used it already.
    func opened(_ database: DatabaseID, _ engine: Engine)

    /// A database is about to be closed. It is closed when this returns.
    func closing(_ database: DatabaseID) async

    /// A database was deleted, and its files are closed.
    func deleted(_ database: DatabaseID) async

    /// The server stops: databases are not opened any more, and are closed next.
    func stopping() async
}

extension DatabaseCompanion {
    package func opening(_ database: DatabaseID, _ engine: Engine) {}
    package func opened(_ database: DatabaseID, _ engine: Engine) {}
    package func deleted(_ database: DatabaseID) async {}
}
