// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import GRDB

/// How Hearth sets SQLite up, in one place, so that a benchmark's raw peer runs under the same conditions.
///
/// The settings decide a factor of 4 to 6 on writes; `docs/storage-format.md` has the measurements.
package enum SQLiteSettings {
    /// Must be in force before the first page is written.
    package static let pageSize = 8_192
    /// Pages in the write-ahead log before it is copied back: 24 MB.
    package static let checkpointPages = 3_072
    /// Pages from which on the writer waits a moment for readers of the log, so that it begins anew: 32 MB…
    static let restartPages = 4_096
    /// …and from which on it waits longer: 48 MB.
    static let urgentPages = 6_144
    /// What a log that begins anew keeps of its file.
    static let journalBytes = restartPages * pageSize
    static let busyMilliseconds = 5_000
    /// Of each reader, in KiB. There are nine, and the system keeps the file in its own cache, too.
    static let cacheKibibytes = 1_024
    /// Of the writer, which meets a page of every index with every document.
    static let writerCacheKibibytes = 16_384
    static let readers = 5
    /// Beside those, for reads on the calling thread; more than there are threads to call is of no use.
    static let pointReaders = 4

    package static func configuration() -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = readers
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1_000)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            try database.execute(
                sql: """
                    PRAGMA page_size = \(pageSize);
                    PRAGMA wal_autocheckpoint = \(checkpointPages);
                    PRAGMA journal_size_limit = \(journalBytes);
                    PRAGMA cache_size = -\(cacheKibibytes);
                    PRAGMA temp_store = MEMORY;
                    """)
        }
        return configuration
    }

    /// Asks a new connection: an error at the end of `PRAGMA journal_mode = WAL` shows nowhere else, and without the
    /// write-ahead log readers have no snapshots.
    static func checkJournal(of database: Database, _ errors: StoreErrors) throws {
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal" else {
            throw FirestoreError(
                .unavailable, "the database's write-ahead log could not be set up; check the disk and try again",
                at: errors.file)
        }
    }

    /// Sets up the connection that writes. Must run once the pool is open: GRDB sets NORMAL after `prepareDatabase`.
    package static func setDurability(_ durability: Durability, of writer: any DatabaseWriter) throws {
        try writer.writeWithoutTransaction { database in
            try database.execute(
                sql: """
                    PRAGMA synchronous = \(durability == .full ? "FULL" : "NORMAL");
                    PRAGMA cache_size = -\(writerCacheKibibytes);
                    """)
        }
    }
}
