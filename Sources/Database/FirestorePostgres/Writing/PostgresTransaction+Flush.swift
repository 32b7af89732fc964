// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestoreStorage
    import PostgresLink

    /// The changes of a transaction as statements: one for each table, whatever their number (DN-4.7).
    extension PostgresTransaction {
        /// Whether there is something to store.
        var hasChanges: Bool { !buffer.isEmpty || executed > 0 }

        func statements(node: [UInt8], number: Int64) -> [PostgresCall] {
            collectionCalls() + documentCalls() + changeCalls() + entryCalls() + factCalls() + indexCalls() + metaCalls(node, number)
        }

        private func collectionCalls() -> [PostgresCall] {
            guard !buffer.collections.isEmpty else { return [] }
            let new = buffer.collections.sorted { $0.value < $1.value }
            return [
                session.call(
                    """
                    INSERT INTO \(session.tables.collections)(db, number, path, path_hash, id)
                    SELECT $1, n, p, \(session.tables.dialect.hash("p")), i FROM unnest($2::bigint[], $3::bytea[], $4::bytea[]) AS
                    t(n, p, i)
                    """, .int8s(new.map(\.value)), .byteses(new.map { [UInt8]($0.key.path.utf8) }),
                    .byteses(new.map { [UInt8]($0.key.id.utf8) }))
            ]
        }

        private func documentCalls() -> [PostgresCall] {
            var stored: [(RowKey, Document)] = []
            var deleted: [RowKey] = []
            for (key, document) in buffer.documents {
                guard let row = buffer.rows[key] else { continue }
                if let document { stored.append((row, document)) } else { deleted.append(row) }
            }
            var calls: [PostgresCall] = []
            let documents = session.tables.documents
            if !deleted.isEmpty {
                calls.append(
                    session.call(
                        """
                        DELETE FROM \(documents) d USING unnest($2::bigint[], $3::bytea[]) AS k(c, i)
                        WHERE d.db = $1 AND d.collection = k.c AND d.id = k.i
                        """, .int8s(deleted.map(\.collection)), .byteses(deleted.map(\.id))))
            }
            if !stored.isEmpty {
                calls.append(
                    session.call(
                        """
                        INSERT INTO \(documents)(db, collection, id, create_time, update_time, fields)
                        SELECT $1, * FROM unnest($2::bigint[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bytea[])
                        ON CONFLICT (db, collection, id) DO UPDATE
                        SET create_time = excluded.create_time, update_time = excluded.update_time, fields = excluded.fields
                        """, .int8s(stored.map(\.0.collection)), .byteses(stored.map(\.0.id)),
                        .int8s(stored.map(\.1.createTime.microseconds)), .int8s(stored.map(\.1.updateTime.microseconds)),
                        .byteses(stored.map(\.1.fields.bytes.array))))
            }
            return calls
        }

        private func changeCalls() -> [PostgresCall] {
            let changes = buffer.changes
            guard !changes.isEmpty else { return [] }
            return [
                session.call(
                    """
                    INSERT INTO \(session.tables.changes)(
                    db, commit_time, ord, collection, id, previous_create, previous_update, previous)
                    SELECT $1, * FROM unnest(
                    $2::bigint[], $3::int[], $4::bigint[], $5::bytea[], $6::bigint[], $7::bigint[], $8::bytea[])
                    """, .int8s(changes.map(\.time)), .int4s(changes.map(\.order)), .int8s(changes.map(\.row.collection)),
                    .byteses(changes.map(\.row.id)), .optionalInt8s(changes.map { $0.previous?.createTime.microseconds }),
                    .optionalInt8s(changes.map { $0.previous?.updateTime.microseconds }),
                    .optionalByteses(changes.map { $0.previous?.fields.bytes.array }))
            ]
        }

        private func entryCalls() -> [PostgresCall] {
            var added: [(WriteBuffer.EntryKey, WriteBuffer.Entry)] = []
            var removed: [WriteBuffer.EntryKey] = []
            for (key, entry) in buffer.entries {
                if let entry { added.append((key, entry)) } else { removed.append(key) }
            }
            let stored = LongKey.stored("t.k", session.tables.dialect)
            var calls: [PostgresCall] = []
            if !removed.isEmpty {
                calls.append(
                    session.call(
                        """
                        DELETE FROM \(session.tables.entries) e USING unnest($2::bigint[], $3::bigint[], $4::bytea[]) AS t(x, c, k)
                        WHERE e.db = $1 AND e.idx = t.x AND e.collection = t.c AND e.key = \(stored)
                        """, .int8s(removed.map(\.index)), .int8s(removed.map(\.collection)), .byteses(removed.map(\.key))))
            }
            if !added.isEmpty {
                calls.append(
                    session.call(
                        """
                        INSERT INTO \(session.tables.entries)(db, idx, collection, key, whole, home, id, kinds)
                        SELECT $1, t.x, t.c, \(stored), \(LongKey.whole("t.k")), t.h, t.i, t.n
                        FROM unnest($2::bigint[], $3::bigint[], $4::bytea[], $5::bigint[], $6::bytea[], $7::bigint[]) AS t(x, c, k, h, i, n)
                        ON CONFLICT (db, idx, collection, key) DO UPDATE
                        SET whole = excluded.whole, home = excluded.home, id = excluded.id, kinds = excluded.kinds
                        """, .int8s(added.map(\.0.index)), .int8s(added.map(\.0.collection)), .byteses(added.map(\.0.key)),
                        .int8s(added.map(\.1.home)), .byteses(added.map(\.1.id)), .int8s(added.map(\.1.kinds))))
            }
            return calls
        }

        private func factCalls() -> [PostgresCall] {
            let facts = session.tables.facts
            var calls = buffer.removedFacts.map { range in
                session.call("DELETE FROM \(facts) WHERE db = $1 AND key >= $2 AND key < $3", .bytes(range.lower), .bytes(range.upper))
            }
            let removed = buffer.facts.filter { $0.value == nil }.map(\.key)
            if !removed.isEmpty {
                calls.append(session.call("DELETE FROM \(facts) WHERE db = $1 AND key = ANY($2)", .byteses(removed)))
            }
            let stored = buffer.facts.compactMap { key, value in value.map { (key, $0.array) } }
            if !stored.isEmpty {
                calls.append(
                    session.call(
                        """
                        INSERT INTO \(facts)(db, key, value) SELECT $1, * FROM unnest($2::bytea[], $3::bytea[])
                        ON CONFLICT (db, key) DO UPDATE SET value = excluded.value
                        """, .byteses(stored.map(\.0)), .byteses(stored.map(\.1))))
            }
            return calls
        }

        private func indexCalls() -> [PostgresCall] {
            let indexes = session.tables.indexes
            let changed = buffer.indexes.sorted { $0.key < $1.key }.map { number, row in
                guard let row else { return session.call("DELETE FROM \(indexes) WHERE db = $1 AND number = $2", .int8(number)) }
                return session.call(
                    """
                    INSERT INTO \(indexes)(db, number, definition, state, configured, built_collection, built_id, last_used, expiry)
                    SELECT $1, $2, d, $4, $5, c, i, $8, $9 FROM unnest($3::bytea[], $6::bigint[], $7::bytea[]) AS t(d, c, i)
                    ON CONFLICT (db, number) DO UPDATE SET definition = excluded.definition, state = excluded.state,
                    configured = excluded.configured, built_collection = excluded.built_collection, built_id = excluded.built_id,
                    expiry = excluded.expiry
                    """, .int8(number), .optionalByteses([row.definition.map(IndexDefinitionEncoding.encode)]),
                    .int4(Int32(row.state.rawValue)), .bool(row.isConfigured), .optionalInt8s([row.built?.collection]),
                    .optionalByteses([row.built?.id.array]), .int8(row.createdAt ?? 0), .bool(row.isForExpiry))
            }
            guard !buffer.lastUses.isEmpty else { return changed }
            let uses = buffer.lastUses.sorted { $0.key < $1.key }
            return changed + [
                session.call(
                    """
                    UPDATE \(indexes) i SET last_used = greatest(i.last_used, t.u) FROM unnest($2::bigint[], $3::bigint[]) AS t(n, u)
                    WHERE i.db = $1 AND i.number = t.n
                    """, .int8s(uses.map(\.key)), .int8s(uses.map(\.value)))
            ]
        }

        /// The number of the group shows afterwards whether it was applied (DN-8.2).
        private func metaCalls(_ node: [UInt8], _ number: Int64) -> [PostgresCall] {
            let time = buffer.commitTime ?? meta.lastCommit
            return [
                session.call(
                    """
                    UPDATE \(session.tables.meta) SET previous_commit = CASE WHEN $2 = last_commit THEN previous_commit ELSE last_commit
                    END,
                    last_commit = $2, catalog = $3, next_collection = $4 WHERE db = $1
                    """, .int8(time), .int8(buffer.catalog?.version ?? meta.catalog), .int8(buffer.nextCollection)),
                session.call(
                    """
                    INSERT INTO \(session.tables.writers)(db, node, number, commit_time) VALUES($1, $2, $3, $4)
                    ON CONFLICT (db, node) DO UPDATE SET number = excluded.number, commit_time = excluded.commit_time
                    """, .bytes(node), .int8(number), .int8(time)),
            ]
        }
    }
#endif
