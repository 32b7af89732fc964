// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSQLite
import FirestoreStorage
import FirestoreWire

/// A batch with its writes by document.
struct BatchOfDocuments {
    let batch: PendingBatch
    var bytes: Int { batch.bytes }
    private let writes: [DocumentKey: [Write]]

    init(_ batch: PendingBatch) {
        self.batch = batch
        // The base writes come first: what they hold is where the increments begin.
        writes = Dictionary(grouping: batch.baseWrites + batch.writes, by: \.key)
    }

    func apply(to application: inout LocalApplication) {
        let time = TimestampValue(microsecondsSince1970: batch.localWriteTime)
        for write in writes[application.key] ?? [] { application.apply(write, at: time) }
    }

    /// The paths of a document that its increments compute, each from the number that the batch has stored.
    func incrementedPaths(of key: DocumentKey) -> Set<FieldPathSegments> {
        var paths: Set<FieldPathSegments> = []
        for write in batch.writes where write.key == key {
            for transform in write.transforms { if case .increment = transform.kind { paths.insert(transform.path) } }
        }
        return paths
    }
}

extension CacheRows {
    var batchColumns: String { "id, user, local_time, base_writes, writes, " + (batchesHaveBases ? "bases" : "NULL AS bases") }

    /// Reads the columns `batchColumns`.
    func batch(in row: SQLStatement) throws(FirestoreError) -> PendingBatch {
        let id = row.integer(0)
        guard let user = row.blob(1).flatMap({ SyncUser(stored: $0) }), let writes = row.blob(4) else {
            throw source.damaged("pending write \(id)")
        }
        var batch = PendingBatch(
            id: id, user: user, localWriteTime: row.integer(2),
            baseWrites: try row.blob(3).map { bytes throws(FirestoreError) in
                try CommitRequest(decoding: ByteSlice(copying: bytes)).writes
            } ?? [], writes: try CommitRequest(decoding: ByteSlice(copying: writes)).writes)
        batch.attachment = row.blob(5).map { ByteSlice(copying: $0) }
        return batch
    }

    /// The pending batches of all users that write a document, oldest first.
    func batchNumbers(of key: DocumentKey) throws(FirestoreError) -> [BatchID] {
        let numbers = try source.rows("SELECT batch FROM batch_documents WHERE collection = ?1 AND id = ?2 ORDER BY batch", of: key) {
            (row) throws(FirestoreError) in
            var numbers: [BatchID] = []
            while try row.step() { numbers.append(row.integer(0)) }
            return numbers
        }
        return numbers ?? []
    }

    func batch(_ number: BatchID) throws(FirestoreError) -> PendingBatch? {
        try source.first("SELECT \(batchColumns) FROM batches WHERE id = ?1", number) { (row) throws(FirestoreError) in try batch(in: row) }
    }

    func nextBatches(of user: SyncUser, after id: BatchID, limit: Int, bytes: Int) throws(FirestoreError) -> [PendingBatch] {
        let row = try source.statement(
            "SELECT \(batchColumns) FROM batches WHERE user = ?1 AND id > ?2 ORDER BY id LIMIT ?3")
        defer { row.reset() }
        row.bind(1, copying: user.stored)
        row.bind(2, id)
        row.bind(3, Int64(limit))
        var (batches, room): ([PendingBatch], Int) = ([], bytes)
        while room > 0, try row.step() {
            let batch = try batch(in: row)
            room -= batch.bytes
            batches.append(batch)
        }
        return batches
    }

    func highestBatch(of user: SyncUser) throws(FirestoreError) -> BatchID? {
        try source.first("SELECT max(id) FROM batches WHERE user = ?1", user) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    }
}

extension CacheTransaction {
    func add(_ batch: PendingBatch) throws(FirestoreError) {
        let writes = ByteSlice(CommitRequest(database: database, writes: batch.writes).encoded())
        let baseWrites = batch.baseWrites.isEmpty ? nil : ByteSlice(CommitRequest(database: database, writes: batch.baseWrites).encoded())
        try sql.run(
            "INSERT INTO batches(id, user, local_time, base_writes, writes, bases) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
            batch.id, batch.user, batch.localWriteTime, baseWrites, writes, batch.attachment)
        for key in batch.keys {
            try run("INSERT INTO batch_documents VALUES(?1, ?2, ?3)", on: key, batch.id, creating: true)
        }
        meta.batchCount += 1
        meta.highestBatch = batch.id
        try note(.other)
    }

    func remove(_ batch: PendingBatch) throws(FirestoreError) {
        try sql.run("DELETE FROM batches WHERE id = ?1", batch.id)
        for key in batch.keys {
            try run("DELETE FROM batch_documents WHERE collection = ?1 AND id = ?2 AND batch = ?3", on: key, batch.id)
            try touch(key)
        }
        meta.batchCount -= 1
        knownBatches[batch.id] = nil
        keptBatches[batch.id] = nil
        try note(.ended(batch.id))
    }

    /// The pending batches of the shown user that write a document, oldest first.
    func batches(of key: DocumentKey) throws(FirestoreError) -> [BatchOfDocuments] {
        guard meta.batchCount > 0 else { return [] }
        var result: [BatchOfDocuments] = []
        for number in try rows.batchNumbers(of: key) {
            if let known = try batch(number), known.batch.user == meta.user { result.append(known) }
        }
        return result
    }

    func batch(_ number: BatchID) throws(FirestoreError) -> BatchOfDocuments? {
        if let known = knownBatches[number] ?? keptBatches[number] { return known }
        guard let batch = try rows.batch(number).map(BatchOfDocuments.init) else { return nil }
        knownBatches[number] = batch
        return batch
    }

    /// Whether the overlay stays as it is although the authority has computed fields of the batch below it: the batch did nothing
    /// but increment numbers that the newest one increments too, from those that it has stored. Then a queue of increments of one
    /// document is not read once for each of them.
    func keepsOverlay(_ entry: CacheEntry, behind acknowledged: PendingBatch) throws(FirestoreError) -> Bool {
        guard case .patch? = entry.overlay?.effect, entry.remote.kind == .found, let newest = entry.overlay?.batch,
            let paths = try batch(newest)?.incrementedPaths(of: entry.key)
        else { return false }
        return acknowledged.writes.filter { $0.key == entry.key }.allSatisfy { write in
            guard case .patch(_, let mask) = write.operation else { return false }
            return mask.allSatisfy { paths.contains($0) } && write.transforms.allSatisfy { paths.contains($0.path) }
        }
    }

    /// Computes the overlay anew, by applying all pending batches to the authority's state (SY-43).
    func replay(_ entry: inout CacheEntry) throws(FirestoreError) {
        entry.replay(try batches(of: entry.key))
    }

    /// Computes and stores the local view of some documents anew.
    func replay(_ keys: [DocumentKey]) throws(FirestoreError) -> [LocalChange] {
        var changes: [LocalChange] = []
        for key in keys {
            let old = try entry(key)
            var new = old
            try replay(&new)
            try store(new, replacing: old)
            changes.append(LocalChange(old: old.local, new: new.local))
        }
        return changes
    }
}

extension CacheEntry {
    /// Computes the overlay from the authority's state and all pending batches of a user.
    mutating func replay(_ batches: [BatchOfDocuments]) {
        var application = LocalApplication(key, remote)
        for batch in batches { batch.apply(to: &application) }
        take(application, of: batches.last?.batch.id ?? 0)
    }
}
