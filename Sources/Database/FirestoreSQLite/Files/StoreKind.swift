// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The content of a file of Hearth, by its `PRAGMA application_id`.
package enum StoreKind: Int32, Sendable {
    /// A database that is its own authority.
    case database = 0x4852_5448  // "HRTH"
    /// A client's copy of a server's database, and the writes that wait for the server.
    case cache = 0x4852_5443  // "HRTC"

    /// The advice for a file of this kind when another kind was expected.
    var advice: String {
        switch self {
        case .database:
            "the file is a Hearth database, not a cache; give the cache another path"
        case .cache:
            "the file is the offline cache of an app, not a database; give another path, or open it in the app that it belongs to"
        }
    }
}

/// The tables of a cache beside those of every store. Storage knows that they exist, and not their meaning.
package struct CacheTables: Sendable {
    /// Increased with every change of the tables.
    package let version: Int64
    /// Creates the tables of the newest version.
    package let create: String
    /// The step from version n + 1 to n + 2 is at place n.
    package let migrations: [String]
    /// The address of the server that the cache belongs to.
    package let server: String

    package init(version: Int64, create: String, migrations: [String], server: String) {
        self.version = version
        self.create = create
        self.migrations = migrations
        self.server = server
    }
}

/// The identity that a cache records about itself.
package struct CacheIdentity: Sendable {
    package let databaseID: DatabaseID
    /// The address of the server that it belongs to.
    package let server: String
    /// The version of the tables of every store.
    package let formatVersion: Int64
    /// The version of the tables of caches.
    package let version: Int64
}
