// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import FirestoreEngine
    import FirestorePostgres
    import FirestoreStorage
    import PostgresLink
    import PostgresServer

    /// Nodes over one PostgreSQL server, which stores every commit on the disk.
    struct BenchCluster {
        static let database = DatabaseID(projectID: "bench")
        static let context = RequestContext(caller: .administrator)
        static let notes = CollectionPath(trusted: "notes")
        /// As many documents as are written in turn.
        private static let documents = 10_000

        /// One server for all cases: `PostgresServer.shared` does not wait for the disk.
        private static let server = Result { () throws -> PostgresServer in
            let server = try PostgresServer(syncsToDisk: true)
            try server.start()
            return server
        }

        let settings: PostgresSettings
        let options: PostgresClusterOptions
        let clusters: [PostgresCluster]
        let engines: [Engine]

        init(nodes: Int) throws {
            settings = try PostgresSettings(url: Self.server.get().url())
            var options = PostgresClusterOptions()
            options.schema = "b_" + AutoID.make().lowercased()
            self.options = options
            try PostgresCluster.initialize(settings, options)
            let (settings, all) = (settings, options)
            clusters = try (0..<nodes).map { _ in try PostgresCluster.connect(settings, all) }
            engines = try clusters.map {
                try Engine.open(EngineConfiguration(location: .cluster($0), durability: .full, databaseID: Self.database))
            }
        }

        func connection() throws -> PostgresConnection { try PostgresConnection(settings) }

        func close() async {
            for engine in engines { await engine.shutdown() }
            for cluster in clusters { cluster.close() }
        }

        static func key(_ number: Int) -> DocumentKey { DocumentKey(collection: notes, id: "note\(number % documents)") }

        /// A document of 1 KB.
        static func write(_ number: Int) -> Write {
            let fields = FieldMap([
                ("number", .integer(Int64(number))), ("group", .integer(Int64(number % 100))),
                ("text", .string(String(repeating: "x", count: 960))),
            ])
            return Write(key: key(number), operation: .set(FieldBytes(fields)))
        }

        /// Runs operations by several tasks, each of which waits for its answer before it begins the next one.
        static func run(_ operations: Int, inFlight: Int, _ body: @escaping @Sendable (Int) async throws -> Void) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<inFlight {
                    group.addTask {
                        for number in stride(from: task, to: operations, by: inFlight) { try await body(number) }
                    }
                }
                try await group.waitForAll()
            }
        }

        /// No two writes are equal: one that changes nothing costs nothing.
        private static let lastWrite = Mutex(0)

        /// Commits of one write, in turn by the services.
        static func commit(
            _ operations: Int, by services: [any DocumentService], _ context: RequestContext = context, inFlight: Int = 64
        ) async throws {
            let first = lastWrite.withLock { last in
                defer { last += operations }
                return last
            }
            try await run(operations, inFlight: inFlight) { operation in
                let number = first + operation
                _ = try await services[number % services.count].commit([write(number)], context: context)
            }
        }
    }
#endif
