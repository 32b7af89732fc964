// SPDX-License-Identifier: Apache-2.0
#if Postgres
    package import FirestoreCore
    import FirestoreStorage

    /// The names of the tables, in one SQL schema, and pieces of statements that name them.
    package struct PostgresTables: Sendable {
        package let schema: String
        package let dialect: PostgresDialect

        /// Incremented with every change of the tables, of which `migrations` has the step.
        static let format: Int32 = 3
        /// Incremented with every change of the content of a database.
        static let contentFormat: Int32 = 1
        /// The version of this node, which `min_writer` is compared with (DN-8.8).
        static let writer: Int32 = 1

        /// Fails if the name would have to be quoted: it is part of every statement.
        package init(schema: String = "hearth", dialect: PostgresDialect = .postgres) throws(FirestoreError) {
            let first = schema.utf8.first.map { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "_") } ?? false
            let isPlain = schema.utf8.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || $0 == UInt8(ascii: "_")
            }
            guard first, isPlain, schema.utf8.count <= 63, !schema.hasPrefix("pg_") else {
                throw FirestoreError(
                    .invalidArgument,
                    "the name of the SQL schema must consist of up to 63 lower-case letters, digits and underscores, begin with a "
                        + "letter and "
                        + "not with pg_")
            }
            self.schema = schema
            self.dialect = dialect
        }

        var cluster: String { schema + ".cluster" }
        var nodes: String { schema + ".nodes" }
        var leases: String { schema + ".leases" }
        var notices: String { schema + ".notices" }
        var rulesets: String { schema + ".rulesets" }
        var databases: String { schema + ".databases" }
        /// Databases that are deleted, whose rows may not be removed yet.
        var deleted: String { schema + ".deleted_databases" }
        var meta: String { schema + ".meta" }
        var epochs: String { schema + ".epochs" }
        var collections: String { schema + ".collections" }
        var documents: String { schema + ".documents" }
        var entries: String { schema + ".index_entries" }
        var changes: String { schema + ".changes" }
        var writers: String { schema + ".writers" }
        var indexes: String { schema + ".indexes" }
        var facts: String { schema + ".facts" }

        /// Changes when commits may be missing: when another server takes over, and when the tables were made again from a dump, which
        /// gives them other object ids (DN-8.3).
        var timeline: String { "(\(dialect.timeline) || '-' || '\(meta)'::regclass::oid)" }

        /// Whether a row of `meta` was last written on this timeline.
        var isPresent: String { DeliberateDefect.epochUnchecked.isOn ? "true" : "timeline = \(timeline)" }

        /// The history in a row of `meta`, null if the row was last written on another timeline: commits may be missing (DN-8.3).
        var presentHistory: String { "CASE WHEN \(isPresent) THEN history END" }

        /// The fact of a database that has the start of the server in which its present history began.
        static let serverStartFact = [UInt8]("hearth/server-start".utf8)

        /// Whether the server has run since the present history of a database began. `key`: the parameter with `serverStartFact`.
        func isSameRun(db: String, key: String) -> String {
            "EXISTS (SELECT 1 FROM \(facts) f WHERE f.db = \(db) AND f.key = \(key) AND f.value = \(serverStart))"
        }

        /// The value of that fact now.
        var serverStart: String { "convert_to(\(dialect.serverStart), 'UTF8')" }

        /// The tables with rows of databases, in the order in which those are removed.
        var ofDatabases: [String] { [entries, documents, changes, facts, indexes, collections, writers, epochs] }

        /// All tables.
        var all: [String] { [cluster, nodes, leases, notices, rulesets, databases, deleted, meta] + ofDatabases }
    }
#endif
