// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

extension RulesRegistry {
    /// Which databases a ruleset is for.
    ///
    /// Rules of files are for every database or for databases of an id; rules set over HTTP are for a project or for one database, and
    /// hold until a file that covers it changes.
    package enum Scope: Hashable, Sendable {
        /// All databases without separate rules.
        case everyDatabase
        /// The databases of this id, of every project: `--rules ID=FILE`.
        case databaseID(String)
        /// All databases of one project without separate rules: set over HTTP (SR-138).
        case project(String)
        /// One database of one project: set over HTTP (SR-139).
        case database(DatabaseID)

        /// Compared by UTF-8 bytes, like all names.
        package static func == (left: Scope, right: Scope) -> Bool {
            switch (left, right) {
            case (.everyDatabase, .everyDatabase): true
            case (.databaseID(let left), .databaseID(let right)), (.project(let left), .project(let right)): equalUTF8(left, right)
            case (.database(let left), .database(let right)): DatabaseName(left) == DatabaseName(right)
            default: false
            }
        }

        package func hash(into hasher: inout Hasher) {
            switch self {
            case .everyDatabase: hasher.combine(0)
            case .databaseID(let id):
                hasher.combine(1)
                hashUTF8(id, into: &hasher)
            case .project(let id):
                hasher.combine(2)
                hashUTF8(id, into: &hasher)
            case .database(let database):
                hasher.combine(3)
                DatabaseName(database).hash(into: &hasher)
            }
        }

        /// The scopes that a database can have rules of, in order of precedence. A project's rules are those of its default database
        /// even if there is a file for that (SR-139).
        package static func candidates(for database: DatabaseID) -> [Scope] {
            let (own, id, project) = (database, database.databaseID, database.projectID)
            return isDefault(id)
                ? [.database(own), .project(project), .databaseID(id), .everyDatabase]
                : [.database(own), .databaseID(id), .project(project), .everyDatabase]
        }

        /// Whether rules of this scope replace those that were set for another one before.
        package func supersedes(_ other: Scope, filesFor ids: (String) -> Bool) -> Bool {
            switch (self, other) {
            case (.everyDatabase, .project): true
            case (.everyDatabase, .database(let database)): !ids(database.databaseID)
            case (.databaseID(let id), .database(let database)): equalUTF8(id, database.databaseID)
            case (.databaseID(let id), .project): Self.isDefault(id)
            case (.project(let id), .database(let database)):
                equalUTF8(id, database.projectID) && Self.isDefault(database.databaseID)
            default: false
            }
        }

        package var isSetOverHTTP: Bool {
            switch self {
            case .project, .database: true
            case .everyDatabase, .databaseID: false
            }
        }

        private static func isDefault(_ id: String) -> Bool { equalUTF8(id, DatabaseID.defaultDatabase) }
    }
}
