// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import FirestoreSQLite
import FirestoreStorage

/// The tables of a cache beside those of every store and those of features.
///
/// `documents` holds the local view. A row of `bases` exists exactly where that is not the whole truth: pending writes lie over
/// the document, an acknowledged write waits for the watch, or the document is missing or unknown on the server.
/// `stream_tokens.stream` is the number of the newest batch of the user that may have been sent, or an empty blob.
/// `batches.bases` is what a feature has attached to the batch, and `sync_meta.online` and `log_floor` belong to a feature, too.
package enum CacheSchema {
    static let version: Int64 = 2

    package static func tables(server: String) -> CacheTables {
        CacheTables(
            version: version, create: SyncFeatures.types.reduce(create) { $0 + $1.tables }, migrations: [addAttachments], server: server)
    }

    /// What earlier files of this version do not have: those of failed writes that are retained, and those that are to be forgotten.
    static func addIndexes(to source: some StatementSource) throws(FirestoreError) {
        for index in [
            "failed_batches_by_user ON failed_batches(user, id) WHERE dismissed = 0",
            "failed_batches_by_time ON failed_batches(failed_at) WHERE dismissed <> 1",
        ] { try source.statement("CREATE INDEX IF NOT EXISTS \(index)").run() }
    }

    /// To version 2: what features attach to batches.
    private static let addAttachments = """
        ALTER TABLE batches ADD COLUMN bases BLOB;
        CREATE INDEX batches_with_bases ON batches(id) WHERE bases IS NOT NULL;
        """

    private static let create = """
        CREATE TABLE sync_meta(
            one INTEGER PRIMARY KEY CHECK(one = 1),
            cache_id BLOB NOT NULL,
            machine_id BLOB NOT NULL,
            user BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            snapshot_version INTEGER NOT NULL,
            highest_target INTEGER NOT NULL,
            highest_batch INTEGER NOT NULL,
            base_count INTEGER NOT NULL,
            batch_count INTEGER NOT NULL,
            online INTEGER NOT NULL,
            log_floor INTEGER NOT NULL);
        CREATE TABLE bases(
            collection INTEGER NOT NULL,
            id BLOB NOT NULL,
            state INTEGER NOT NULL,
            version INTEGER NOT NULL,
            create_time INTEGER NOT NULL,
            read_time INTEGER NOT NULL,
            fields BLOB,
            batch INTEGER,
            kind INTEGER,
            mask BLOB,
            PRIMARY KEY(collection, id)) WITHOUT ROWID;
        CREATE TABLE batches(
            id INTEGER PRIMARY KEY,
            user BLOB NOT NULL,
            local_time INTEGER NOT NULL,
            base_writes BLOB,
            writes BLOB NOT NULL,
            attempts INTEGER NOT NULL DEFAULT 0,
            last_code INTEGER,
            last_text BLOB,
            last_try INTEGER,
            bases BLOB);
        CREATE INDEX batches_by_user ON batches(user, id);
        CREATE INDEX batches_with_bases ON batches(id) WHERE bases IS NOT NULL;
        CREATE TABLE batch_documents(
            collection INTEGER NOT NULL,
            id BLOB NOT NULL,
            batch INTEGER NOT NULL,
            PRIMARY KEY(collection, id, batch)) WITHOUT ROWID;
        CREATE TABLE targets(
            id INTEGER PRIMARY KEY,
            canonical BLOB NOT NULL UNIQUE,
            token BLOB NOT NULL,
            version INTEGER NOT NULL,
            limbo_free INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            pin INTEGER NOT NULL DEFAULT 0);
        CREATE INDEX targets_by_sequence ON targets(sequence);
        CREATE TABLE target_documents(
            target INTEGER NOT NULL,
            collection INTEGER NOT NULL,
            id BLOB NOT NULL,
            PRIMARY KEY(target, collection, id)) WITHOUT ROWID;
        CREATE INDEX target_documents_by_document ON target_documents(collection, id);
        CREATE TABLE orphans(
            collection INTEGER NOT NULL,
            id BLOB NOT NULL,
            sequence INTEGER NOT NULL,
            PRIMARY KEY(collection, id)) WITHOUT ROWID;
        CREATE INDEX orphans_by_sequence ON orphans(sequence);
        CREATE TABLE failed_batches(
            id INTEGER PRIMARY KEY,
            user BLOB NOT NULL,
            failed_at INTEGER NOT NULL,
            code INTEGER NOT NULL,
            text BLOB NOT NULL,
            writes BLOB NOT NULL,
            dismissed INTEGER NOT NULL DEFAULT 0);
        CREATE TABLE stream_tokens(
            user BLOB PRIMARY KEY NOT NULL,
            token BLOB NOT NULL,
            stream BLOB NOT NULL DEFAULT x'') WITHOUT ROWID;

        """
}
