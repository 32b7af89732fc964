// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Foundation
    import PostgresLink
    import PostgresServer
    import Testing

    enum Link {
        static func settings(database: String = "postgres", user: String = PostgresServer.user, query: String = "") throws -> PostgresSettings {
            try PostgresSettings(url: PostgresServer.shared.url(database: database, user: user) + query)
        }

        /// A connection to the server of all tests. Tests make temporary tables, which no other connection sees.
        static func connect(query: String = "") throws -> PostgresConnection { try PostgresConnection(settings(query: query)) }

        static func identifier(of connection: PostgresConnection) throws -> Int64 {
            try connection.query(PostgresCall(PostgresStatement("SELECT pg_backend_pid()"))).integer(0, 0)
        }

        /// Ends connections as an administrator does.
        static func terminate(_ connections: PostgresConnection...) throws {
            let administrator = try connect()
            for connection in connections {
                let process = try identifier(of: connection)
                // Waits until the process is gone.
                let call = PostgresCall(PostgresStatement("SELECT pg_terminate_backend($1, 10000)"), .int4(Int32(process)))
                #expect(try administrator.query(call).integer(0, 0) == 1)
            }
        }
    }

    extension PostgresConnection {
        /// The first column of the first row.
        func integer(_ sql: String, _ values: PostgresValue...) throws(PostgresError) -> Int64 {
            try query(PostgresCall(PostgresStatement(sql), values: values)).integer(0, 0)
        }
    }

    extension PostgresCall {
        init(_ sql: String, _ values: PostgresValue...) { self.init(PostgresStatement(sql), values: values) }
    }

    /// The error that a call throws.
    func postgresError(location: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws -> PostgresError {
        try #require(throws: PostgresError.self, sourceLocation: location, performing: body)
    }

    /// Results of jobs and of other threads.
    final class Box<Value: Sendable>: @unchecked Sendable {
        private let condition = NSCondition()
        private var values: [Value] = []

        func append(_ value: Value) {
            condition.lock()
            values.append(value)
            condition.broadcast()
            condition.unlock()
        }

        var all: [Value] {
            condition.lock()
            defer { condition.unlock() }
            return values
        }

        /// Waits until there are this many values, for a minute at most.
        func wait(for count: Int, location: SourceLocation = #_sourceLocation) -> [Value] {
            condition.lock()
            defer { condition.unlock() }
            let deadline = Date() + 60
            while values.count < count, condition.wait(until: deadline) {}
            #expect(values.count >= count, sourceLocation: location)
            return values
        }
    }

    extension Thread {
        static func run(_ body: @escaping @Sendable () -> Void) { Thread(block: body).start() }
    }
#endif
