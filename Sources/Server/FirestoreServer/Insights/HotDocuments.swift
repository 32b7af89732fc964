// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import HearthBase

/// The documents that are written most, and those over which most transactions are aborted: about, in a fixed amount of memory.
struct HotDocuments {
    struct Name: Hashable {
        let database: DatabaseName
        /// Of the document; of contended queries that of their collection.
        let path: String

        static func == (left: Name, right: Name) -> Bool { left.database == right.database && equalUTF8(left.path, right.path) }

        func hash(into hasher: inout Hasher) {
            hasher.combine(database)
            hashUTF8(path, into: &hasher)
        }
    }

    /// Ten times as many as are shown, so that the counts of these are nearly exact.
    static let capacity = 1_000
    static let shown = 100

    private(set) var written = FrequentElements<Name>(capacity: capacity)
    private(set) var contended = FrequentElements<Name>(capacity: capacity)

    mutating func add(_ writes: [Write], to database: DatabaseName) {
        for write in writes {
            if case .verify = write.operation { continue }
            written.add(Name(database: database, path: write.key.path))
        }
    }

    mutating func addConflict(at path: String, in database: DatabaseName) { contended.add(Name(database: database, path: path)) }
}
