// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// An open database as metrics see it at one moment.
package struct ObservedDatabase: Sendable {
    let name: DatabaseName
    /// How often calls have asked for it since it was opened.
    var uses: UInt64
    var figures: StoreFigures
    /// Requests that rules have denied since it was opened.
    var denials: Int
    /// The size of its file and its log; nil in memory and on a cluster.
    var bytes: Int64?

    package init(_ database: DatabaseID, uses: UInt64, figures: StoreFigures, denials: Int, bytes: Int64?) {
        name = DatabaseName(database)
        self.uses = uses
        self.figures = figures
        self.denials = denials
        self.bytes = bytes
    }
}

extension DatabaseRegistry {
    /// The open databases. Looks at files.
    package func observed() async -> [ObservedDatabase] {
        let observed = try? await onThread { [self] (opening) throws(FirestoreError) in
            openStores.compactMap { open -> ObservedDatabase? in
                guard let figures = open.store?.figures else { return nil }
                let bytes = opening.path(of: open.name.database).map { path in
                    ["", "-wal"].reduce(0 as Int64) { $0 + DatabaseOpening.size(of: path + $1) }
                }
                return ObservedDatabase(open.name.database, uses: open.uses, figures: figures, denials: open.denials, bytes: bytes)
            }
        }
        return observed ?? []
    }
}
