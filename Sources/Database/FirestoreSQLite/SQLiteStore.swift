// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreStorage
import Foundation
import GRDB
import GRDBSQLite

/// A database on disk or in memory: opens it, reads it, writes it, checks it.
///
/// One writer, and several readers on snapshots that never wait for it. Knows tables, not rules: the meaning of writes and
/// queries is decided in the modules above.
package final class SQLiteStore: Sendable {
    private let connections: any DatabaseWriter
    /// nil for memory and for files that cannot be written, which use a single connection.
    let pointReaders: PointReaders?
    private let gate = CloseGate()
    let caches = StoreCaches()
    /// nil if no file is written.
    private let log: WriteAheadLog?
    let reads: RunningReads
    private let sync: CommitSync?
    private let lost = Mutex(false)
    /// Released when the store closes; nil for memory, and for a file that cannot be written and has no lock file.
    private let lock: Mutex<FileLock?>
    /// nil where the file cannot change, or is a cache.
    private let notes: HistoryNotes?
    /// nil for memory, for a cache, and where nothing is written.
    let presence: FilePresence?
    /// nil where a run has begun, or none begins.
    private let runBeginning: RunBeginning?
    /// The last commit before this opening, if it has begun a run.
    package let opened: DocumentVersion?
    /// nil for a cache: its content follows the history of a server.
    package let history: DatabaseHistory?
    package let errors: StoreErrors
    /// Whether it is not a file.
    package let isInMemory: Bool
    private let writes = Mutex(0)

    private init(
        connections: any DatabaseWriter, pointReaders: PointReaders? = nil, log: WriteAheadLog? = nil,
        reads: RunningReads = RunningReads(), sync: CommitSync? = nil, lock: FileLock?, notes: HistoryNotes? = nil,
        presence: FilePresence? = nil, runBeginning: RunBeginning? = nil, opened: DocumentVersion? = nil,
        history: DatabaseHistory?, errors: StoreErrors, isInMemory: Bool = false
    ) {
        (self.presence, self.runBeginning, self.opened) = (presence, runBeginning, opened)
        self.isInMemory = isInMemory
        self.notes = notes
        self.history = history
        self.log = log
        self.reads = reads
        self.sync = sync
        self.connections = connections
        self.pointReaders = pointReaders
        self.lock = Mutex(lock)
        self.errors = errors
    }

    /// Opens a file, creating it if it does not exist. One process at a time, one store per file.
    ///
    /// With `cache`, the file is a cache: readable by its owner only, and of another kind than a database. `isShared`: together with
    /// others that open it as shared; they must not open a new file at the same moment.
    package static func open(
        _ path: StorePath, durability: Durability, databaseID: DatabaseID, cache: CacheTables? = nil, isShared: Bool = false,
        opening: StoreOpening = StoreOpening()
    ) throws(FirestoreError) -> SQLiteStore {
        let errors = StoreErrors(file: path.path)
        let kind: StoreKind = cache == nil ? .database : .cache
        let lock = isShared ? try FileLock(joining: path, kind) : try FileLock(for: path, kind)
        do {
            var changesAlone = false
            if let cache {
                let isOld = try StoreSchema.checkCache(at: path, cache, databaseID: databaseID, errors: errors)
                try PrivateFiles.prepare(path)
                changesAlone = isShared && isOld
                // Processes of an older version must not find other tables than they know.
                if changesAlone { try lock.change(isExclusive: true, of: path) }
            } else {
                // First: a log that is damaged hides what the file is.
                if durability == .full || !opening.logMayHaveGaps { try LogGap.check(path, errors) }
                try FileBeforeOpening.check(path, databaseID: databaseID, isForRepair: opening.isForRepair, errors: errors)
            }
            if !isShared || changesAlone { try PageUpgrade.run(at: path, databaseID, cache, opening, errors) }
            let pool = try DatabasePool(
                path: CheckedFiles.uri(path.path), configuration: SQLiteSettings.configuration(shrinks: cache != nil))
            // The tables are made durable first.
            try SQLiteSettings.setDurability(durability, of: pool)
            let settled = try prepare(pool, databaseID, cache, opening, lock, errors)
            if changesAlone { try lock.change(isExclusive: false, of: path) }
            // GRDB may have put a page into the log before it was set to sync. A failed sync would drop that page together with the
            // commit that it rejects.
            if durability == .full { try pool.writeWithoutTransaction { _ = try $0.checkpoint(.passive) } }
            let reads = RunningReads()
            let pointReaders = try PointReaders(path: path.path, count: SQLiteSettings.pointReaders, reads: reads)
            try pointReaders.read { try SQLiteSettings.checkJournal(of: $0, errors) }
            let log = WriteAheadLog(path: path.path, limits: opening.log, reads: reads)
            pool.writeWithoutTransaction { log.follow($0) }
            let notes = settled.map { HistoryNotes(lock, history: $0.history.number, lastCommit: $0.lastCommit) }
            return SQLiteStore(
                connections: pool, pointReaders: pointReaders, log: log, reads: reads, sync: CommitSync(durability), lock: lock,
                notes: notes, presence: settled.map { _ in FilePresence(path.path) },
                runBeginning: opening.lateRun(settled?.history),
                opened: opening.beginsRun ? settled?.history.runs?.opened : nil, history: settled?.history, errors: errors)
        } catch {
            throw errors.translate(error)
        }
    }

    package static func openInMemory(
        databaseID: DatabaseID, cache: CacheTables? = nil, opening: StoreOpening = StoreOpening()
    ) throws(FirestoreError) -> SQLiteStore {
        let errors = StoreErrors(file: "memory")
        do {
            let queue = try DatabaseQueue(configuration: SQLiteSettings.configuration())
            let history = cache == nil ? DatabaseHistory(number: opening.makeHistory()) : nil
            if let cache {
                try MemoryTemplate.copy(cache, to: queue)
                try queue.writeWithoutTransaction { try StoreSchema.nameCache($0, cache, databaseID) }
            } else {
                try MemoryTemplate.copy(to: queue)
                try queue.writeWithoutTransaction { try StoreSchema.name($0, databaseID, history: history?.number ?? 0) }
            }
            return SQLiteStore(connections: queue, lock: nil, history: history, errors: errors, isInMemory: true)
        } catch {
            throw errors.translate(error)
        }
    }

    /// A database in memory with the content of this one, which is in memory. Later changes of one do not appear in the other.
    package func copyInMemory() throws(FirestoreError) -> SQLiteStore {
        try enter {
            let queue = try DatabaseQueue(configuration: SQLiteSettings.configuration())
            try connections.backup(to: queue)
            return SQLiteStore(connections: queue, lock: nil, history: history, errors: errors, isInMemory: true)
        }
    }

    /// Changes whenever something may have been written.
    package var generation: Int { writes.withLock { $0 } }

    /// Opens a file for reading, also in a place where nothing can be written (`ReadOnlyFile`). Writes fail with `permissionDenied`.
    package static func openReadOnly(_ path: StorePath, databaseID: DatabaseID) throws(FirestoreError) -> SQLiteStore {
        try openReading(path, databaseID) { try ReadOnlyFile.connection(to: path) }
    }

    /// Opens a file for reading while another process serves it.
    package static func openBeside(_ path: StorePath, databaseID: DatabaseID) throws(FirestoreError) -> SQLiteStore {
        try openReading(path, databaseID) {
            (try DatabaseQueue(path: CheckedFiles.uri(path.path), configuration: ReadOnlyFile.configuration), nil)
        }
    }

    private static func openReading(
        _ path: StorePath, _ databaseID: DatabaseID, _ connect: () throws -> (DatabaseQueue, FileLock?)
    ) throws(FirestoreError) -> SQLiteStore {
        let errors = StoreErrors(file: path.path)
        do {
            let (connection, lock) = try connect()
            let history = try connection.unsafeRead { database in
                try StoreSchema.verify(database, databaseID: databaseID, errors: errors)
                return try StoredHistory.read(database, errors).history
            }
            return SQLiteStore(connections: connection, lock: lock, history: history, errors: errors)
        } catch {
            throw errors.translate(error)
        }
    }

    /// Returns the history of a database; nil for a cache.
    private static func prepare(
        _ connections: any DatabaseWriter, _ databaseID: DatabaseID, _ cache: CacheTables?, _ opening: StoreOpening, _ lock: FileLock,
        _ errors: StoreErrors
    ) throws -> (history: DatabaseHistory, lastCommit: DocumentVersion)? {
        try connections.writeWithoutTransaction { database in
            if let cache {
                try StoreSchema.prepareCache(database, cache, databaseID: databaseID, errors: errors)
                return nil
            }
            let isNew = try StoreSchema.prepare(database, databaseID: databaseID, opening: opening, errors: errors)
            return try StoredHistory.settle(database, lock.historyRecord, opening, isNew: isNew, errors: errors)
        }
    }

    package func setDurability(_ durability: Durability) throws(FirestoreError) {
        try enter {
            try SQLiteSettings.setDurability(durability, of: connections)
            sync?.changed(to: durability)
        }
    }

    /// Every operation enters here: it is rejected once the store is closed, and its errors are converted.
    func enter<R>(_ body: () throws -> R) throws(FirestoreError) -> R {
        try gate.enter()
        defer { gate.leave() }
        if hasLostLog { throw errors.lostLog }
        do {
            return try body()
        } catch {
            throw errors.translate(error)
        }
    }

    /// Limits the size of the database; writes beyond it fail with `resourceExhausted`. nil removes the limit.
    package func limitSize(toPages pages: Int?) throws(FirestoreError) {
        try onWriter { try $0.execute(sql: "PRAGMA max_page_count = \(pages ?? 0x7FFF_FFFE)") }
    }

    /// The size of the write-ahead log's file; 0 in memory and while there is none.
    package var logBytes: Int64 {
        guard log != nil else { return 0 }
        return ((try? FileManager.default.attributesOfItem(atPath: errors.file + "-wal"))?[.size] as? NSNumber)?.int64Value ?? 0
    }

    /// Copies the write-ahead log into the database file, except for pages that readers still need.
    package func checkpoint() throws(FirestoreError) {
        guard !hasOneConnection else { return }
        try onWriter { _ = try $0.checkpoint(.passive) }
    }

    /// The bytes of the pages in use. Pages that deleted rows have left are not counted.
    package func usedByteCount() throws(FirestoreError) -> Int64 {
        try onWriter { database in
            let pages = try Int64.fetchOne(database, sql: "PRAGMA page_count") ?? 0
            let free = try Int64.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            return (pages - free) * Int64(SQLiteSettings.pageSize)
        }
    }

    /// Gives pages that deleted rows have left back to the file system; only a cache's file does that. Returns whether none is left.
    package func shrink(pages: Int) throws(FirestoreError) -> Bool {
        guard !hasOneConnection else { return true }
        return try onWriter { database in
            let before = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
            guard before > 0 else { return true }
            try database.execute(sql: "PRAGMA incremental_vacuum(\(pages))")
            return try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0 == before || before <= pages
        }
    }

    var hasOneConnection: Bool { pointReaders == nil }

    // MARK: Transactions

    /// Makes a small read immediately on the calling thread; nil if no connection is free or `body` finds the read to be larger.
    package func readNow<R>(
        _ body: (ReadTransaction) throws(FirestoreError) -> R?
    ) throws(FirestoreError) -> R? {
        guard let pointReaders else { return nil }
        return try enter {
            try pointReaders.read { database in
                try PointLookup(database: database, caches: caches, errors: errors).transaction(body)
            } ?? nil
        }
    }

    /// Reads on the calling thread, which may wait for a free reader. Not for the cooperative pool.
    package func read<R>(_ body: (ReadTransaction) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        try enter {
            var number: UInt64?
            // After the snapshot has ended.
            defer { if let number { reads.end(number) } }
            func run(_ database: Database) throws -> R {
                number = reads.begin()
                return try body(ReadTransaction(database, caches: caches, errors: errors))
            }
            // The queue of a single connection excludes all others, which makes the read a snapshot.
            if hasOneConnection { return try connections.unsafeRead(run) }
            if presence?.isLost == true { return try connections.writeWithoutTransaction(run) }
            do {
                return try connections.read(run)
            } catch {
                guard number == nil, presence?.look() == true else { throw error }
                return try connections.writeWithoutTransaction(run)
            }
        }
    }

    /// Reads on a thread of the database and calls `completion` there.
    package func startRead<R: Sendable>(
        _ body: @escaping @Sendable (ReadTransaction) throws(FirestoreError) -> R,
        completion: @escaping @Sendable (Result<R, FirestoreError>) -> Void
    ) {
        do {
            try gate.enter()
        } catch {
            return completion(.failure(error))
        }
        let run: @Sendable (Result<Database, any Error>) -> Void = { [caches, errors, gate, reads] access in
            let result: Result<R, FirestoreError>
            let number = reads.begin()
            do {
                result = .success(
                    try body(ReadTransaction(access.get(), caches: caches, errors: errors)))
            } catch {
                result = .failure(errors.translate(error))
            }
            reads.end(number)
            gate.leave()
            completion(result)
        }
        if hasOneConnection { return connections.asyncUnsafeRead(run) }
        if presence?.isLost == true { return connections.asyncWriteWithoutTransaction { run(.success($0)) } }
        connections.asyncRead { [presence, connections] access in
            guard case .failure = access, presence?.look() == true else { return run(access) }
            connections.asyncWriteWithoutTransaction { run(.success($0)) }
        }
    }

    /// Runs one transaction on the writer; the calling thread waits. Either all of it is durable when this returns, or it throws
    /// and nothing of it remains.
    ///
    /// - Parameter waitsForDisk: If false, it is durable with the next transaction that waits, in their order (`CommitSync`).
    package func write<R>(
        waitsForDisk: Bool = true, _ body: (WriteTransaction) throws(FirestoreError) -> R
    ) throws(FirestoreError) -> R {
        try enter {
            try connections.writeWithoutTransaction { database in
                defer { writes.withLock { $0 += 1 } }
                try sync?.prepare(database, waits: waitsForDisk)
                var numbers: [CollectionPath: Int64] = [:]
                var catalog: IndexCatalog?
                var lastCommit: DocumentVersion?
                var isCommitting = false
                var beginsRun = false
                let result: R
                do {
                    result = try SQLStatement.transaction(on: database, errors: errors) { () throws(FirestoreError) in
                        let transaction = try WriteTransaction(database, caches: caches, errors: errors)
                        let result = try body(transaction)
                        if let lost = transaction.lostTo { throw lost }
                        catalog = try transaction.finishCatalog()
                        numbers = transaction.numbers
                        lastCommit = transaction.newCommitTime
                        beginsRun = try beginRun(with: transaction, in: database)
                        if presence?.lookAgain() == true { throw errors.lostFiles }
                        isCommitting = true
                        return result
                    }
                } catch {
                    if isCommitting { log?.replaceFailedCommit(database) }
                    if isCommitting, sync?.hasLost(after: error) == true { lost.withLock { $0 = true } }
                    throw error
                }
                sync?.committed()
                if let lastCommit { notes?.committed(lastCommit) }
                if beginsRun { runBeginning?.begun() }
                if let error = log?.keepShort(database), sync?.hasLost(after: error) == true { lost.withLock { $0 = true } }
                for (path, number) in numbers { caches.directory.remember(path, number: number) }
                if let catalog { caches.catalogs.remember(catalog) }
                return result
            }
        }
    }

    /// Whether the disk has lost commits that did not wait for it. They were visible and are gone; nothing can be read or written
    /// before the file is opened again, without them. Commits that waited for the disk are not among them.
    package var hasLostLog: Bool { lost.withLock { $0 } }

    /// Waits for running operations, then closes every file and lets other processes in. Later calls fail.
    package func close() throws(FirestoreError) {
        guard gate.close() else { return }
        log?.close()
        let isElsewhere = presence?.look() == true
        do {
            // SQLite would remove the log of that name, which is another one's by now.
            if isElsewhere { connections.writeWithoutTransaction(Self.keepLog) }
            // SQLite copies the log and removes its files with the last connection, if that is one that can write.
            if hasLostLog {
                // If the log has a gap, the next opening finds it; the frames behind it must not be copied.
                try connections.close()
                pointReaders?.close()
            } else {
                pointReaders?.close()
                if let pool = connections as? DatabasePool {
                    // An asynchronous read has its connection for a moment after it has left the gate. Dropped before that, the
                    // connection would stay open.
                    try? pool.barrierWriteWithoutTransaction(Self.finishLog)
                    pool.invalidateReadOnlyConnections()
                }
                try connections.close()
            }
        } catch {
            throw errors.translate(error)
        }
        notes?.close()
        lock.withLock { $0 = nil }
    }

    /// Copies the log into the file. It also removes the frames that a commit with a failed sync has left in the log: it was rejected, so
    /// it must not reappear at the next start.
    private static func finishLog(_ database: Database) throws {
        // Another process that reads for long does not delay the end of this one; it leaves the log.
        sqlite3_busy_timeout(database.sqliteConnection, 100)
        _ = try database.checkpoint(.truncate)
    }

    /// Makes SQLite leave the files of the log when the connection is closed.
    private static func keepLog(_ database: Database) {
        var isKept: Int32 = 1
        sqlite3_file_control(database.sqliteConnection, "main", SQLITE_FCNTL_PERSIST_WAL, &isKept)
    }

    private func beginRun(with transaction: WriteTransaction, in database: Database) throws(FirestoreError) -> Bool {
        guard let runBeginning, transaction.newCommitTime != nil else { return false }
        do {
            return try runBeginning.begin(after: transaction.lastCommitTime, in: database)
        } catch {
            throw errors.translate(error)
        }
    }

    /// Whether the files are not where they were opened any more (`FilePresence`). Asks the system.
    package var hasLostFiles: Bool { presence?.look() ?? false }

    /// The connection that writes, by itself.
    func onWriter<R>(_ body: (Database) throws -> R) throws(FirestoreError) -> R {
        try enter { try connections.writeWithoutTransaction(body) }
    }
}
