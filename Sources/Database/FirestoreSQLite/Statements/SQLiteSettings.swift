// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import GRDB

/// Hearth's SQLite settings, in one place, so that a benchmark's comparison with plain SQLite runs under the same conditions.
///
/// The settings change the speed of writes by a factor of 4 to 6; `docs/reference/storage-format.md` has the measurements.
package enum SQLiteSettings {
    /// Must be set before the first page is written.
    package static let pageSize = 8_192
    /// Pages in the write-ahead log before it is copied back: 24 MB.
    package static let checkpointPages = LogLimits().copy
    /// The file size to which a restarted log is truncated.
    static let journalBytes = LogLimits().restart * pageSize
    static let busyMilliseconds = 5_000
    /// For each reader, in KiB. There are nine, and the system caches the file, too.
    static let cacheKibibytes = 1_024
    /// For the writer, which touches a page of every index with every document.
    static let writerCacheKibibytes = 16_384
    /// For the writer of a file that is restored, all by itself.
    static let draftCacheKibibytes = 131_072
    static let readers = 5
    /// In addition, for reads on the calling thread. More than there are calling threads would not help.
    static let pointReaders = 4

    /// `shrinks`: free pages can be given back to the file system, which a file decides when it is created.
    package static func configuration(shrinks: Bool = false) -> Configuration {
        var configuration = Configuration()
        configuration.maximumReaderCount = readers
        configuration.busyMode = .timeout(Double(busyMilliseconds) / 1_000)
        configuration.foreignKeysEnabled = false
        configuration.prepareDatabase { database in
            HandleTable.register(on: database.sqliteConnection)
            try database.execute(
                sql: """
                    PRAGMA page_size = \(pageSize);
                    PRAGMA wal_autocheckpoint = \(checkpointPages);
                    PRAGMA journal_size_limit = \(journalBytes);
                    PRAGMA cache_size = -\(cacheKibibytes);
                    PRAGMA temp_store = MEMORY;
                    """)
            // After the page size, which forgets it.
            CheckedFiles.reserve(on: database.sqliteConnection)
            // After the page size, which it makes final. Later it would change an existing file.
            if shrinks, !database.configuration.readonly, try Int.fetchOne(database, sql: "PRAGMA page_count") == 0 {
                try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            }
        }
        return configuration
    }

    /// Checks a new connection: an error at the end of `PRAGMA journal_mode = WAL` is not reported otherwise, and without the
    /// write-ahead log readers have no snapshots.
    static func checkJournal(of database: Database, _ errors: StoreErrors) throws {
        guard try String.fetchOne(database, sql: "PRAGMA journal_mode") == "wal" else {
            throw FirestoreError(
                .unavailable, "the database's write-ahead log could not be set up; check the disk and try again",
                at: errors.file)
        }
    }

    /// Sets up the connection that writes. Must run after the pool is open: GRDB sets NORMAL after `prepareDatabase`.
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
