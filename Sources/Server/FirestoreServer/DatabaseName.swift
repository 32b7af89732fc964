// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// A database as a dictionary key: compared by UTF-8 bytes, like all names.
package struct DatabaseName: Hashable, Sendable {
    package let database: DatabaseID

    package init(_ database: DatabaseID) { self.database = database }

    package static func == (left: DatabaseName, right: DatabaseName) -> Bool {
        equalUTF8(left.database.projectID, right.database.projectID)
            && equalUTF8(left.database.databaseID, right.database.databaseID)
    }

    package func hash(into hasher: inout Hasher) {
        hashUTF8(database.projectID, into: &hasher)
        hashUTF8(database.databaseID, into: &hasher)
    }
}
