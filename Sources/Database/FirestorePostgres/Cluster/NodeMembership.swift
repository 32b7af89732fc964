// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Dispatch
    package import FirestoreCore
    package import FirestoreStorage
    import Foundation
    import PostgresLink

    /// This process among the nodes: its lease, which is renewed every second, and the notices that it obeys (DN-6.3).
    ///
    /// The lease is 5 s long by the server's clock. The node counts from before it has sent the renewal, by a clock that is never set back,
    /// and only up to 4 s: it stops before the others may take it for gone. A renewal names the last notice that was obeyed and holds the
    /// cluster's row, so no notice can be published between the two.
    package final class NodeMembership: ClusterNodes {
        package typealias Obey = @Sendable ([ClusterNotice]?) throws(FirestoreError) -> Void

        private struct State {
            var address = ""
            var obeying: [Obey] = []
            /// nil before the node has joined, and after it has left.
            var end: ContinuousClock.Instant?
            var isLeaving = false
            /// How often the lease has ended and was renewed afterwards.
            var lapses = 0
            /// Why the node could not join.
            var failure: FirestoreError?
        }

        /// How often notices are looked for.
        private static let pause = DispatchTimeInterval.milliseconds(50)
        private static let renewal = Duration.seconds(1)
        /// What the node counts; the server counts a second more.
        private static let length = Duration.seconds(4)
        static let seconds = 5

        private let settings: PostgresSettings
        private let tables: PostgresTables
        private let node: [UInt8]
        private let errors: ServerErrors
        private let state = Mutex(State())
        private let wakeUp = DispatchSemaphore(value: 0)
        private let began = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)

        init(_ settings: PostgresSettings, _ tables: PostgresTables, node: [UInt8], _ errors: ServerErrors) {
            (self.settings, self.tables, self.node, self.errors) = (settings, tables, node, errors)
        }

        // MARK: The lease

        package var isLive: Bool { state.withLock { $0.end.map { ContinuousClock.now < $0 } ?? true } }

        /// Fails without a lease. Returns how often it has lapsed: what was admitted before a lapse is not granted after it.
        @discardableResult
        func check() throws(FirestoreError) -> Int {
            let lapses = state.withLock { state in state.end.map { ContinuousClock.now < $0 } ?? true ? state.lapses : nil }
            guard let lapses else { throw lost }
            return lapses
        }

        var lost: FirestoreError {
            FirestoreError(
                .unavailable,
                "this node has lost its lease, because the database server has not answered it for \(Self.length.components.seconds) s; "
                    + "connect to another node, or try again", at: errors.server)
        }

        /// Returns no row if the server takes this node for gone: a node that was paused commits nothing. nil if it has not joined.
        ///
        /// The node's row is held until the transaction ends, and a publisher waits for the rows of nodes that it takes for gone: such a
        /// transaction may have passed here a moment before.
        var fence: PostgresCall? {
            guard state.withLock({ $0.end != nil }) else { return nil }
            return PostgresCall(
                PostgresStatement("SELECT 1 FROM \(tables.nodes) WHERE node = $1 AND seen > \(Self.oldest) FOR KEY SHARE"), .bytes(node))
        }

        /// Nodes that were not seen since have no lease.
        static var oldest: String { "clock_timestamp() - interval '\(seconds) seconds'" }

        // MARK: Coming and going

        package func obey(_ body: @escaping Obey) { state.withLock { $0.obeying.append(body) } }

        /// Returns when this node has obeyed everything and has its lease.
        package func join(as address: String) throws(FirestoreError) {
            state.withLock { $0.address = address }
            let thread = Thread { [self] in run() }
            thread.name = "hearth node"
            thread.stackSize = 1 << 20
            thread.start()
            began.wait()
            if let failure = state.withLock({ $0.failure }) { throw failure }
        }

        package func rename(to address: String) {
            state.withLock { $0.address = address }
            wakeUp.signal()
        }

        package func leave() {
            let isRunning = state.withLock { state in
                defer { state.isLeaving = true }
                return state.end != nil && !state.isLeaving
            }
            guard isRunning else { return }
            wakeUp.signal()
            _ = ended.wait(timeout: .now() + 2)
        }

        /// What the thread knows between two looks.
        private struct Turn {
            var connection: PostgresConnection?
            /// nil before anything was obeyed.
            var obeyed: Int64?
            /// The server's, when notices were looked for. Another server may lack notices, and use their numbers again.
            var timeline: String?
            var renewed: ContinuousClock.Instant?
            /// The address that the row has.
            var address: String?
        }

        private func run() {
            var turn = Turn()
            do throws(FirestoreError) {
                while state.withLock({ $0.end == nil }) { try look(&turn) }
            } catch {
                turn.connection?.close()
                let failure = error
                state.withLock { $0.failure = failure }
                began.signal()
                return
            }
            began.signal()
            while !state.withLock({ $0.isLeaving }) {
                _ = wakeUp.wait(timeout: .now() + Self.pause)
                do throws(FirestoreError) {
                    try look(&turn)
                } catch {
                    turn.connection?.close()
                    turn.connection = nil
                    Thread.sleep(forTimeInterval: 0.1)
                }
            }
            if let connection = turn.connection {
                _ = try? query(connection, "DELETE FROM \(tables.nodes) WHERE node = $1", .bytes(node))
                connection.close()
            }
            ended.signal()
        }

        // MARK: Looking

        /// Obeys what is new, and renews the lease if it is time.
        private func look(_ turn: inout Turn) throws(FirestoreError) {
            let connection = if let known = turn.connection { known } else { try connect() }
            turn.connection = connection
            let result = try query(connection, "SELECT notice, \(tables.timeline) FROM \(tables.cluster)")
            let (newest, timeline) = (result.integer(0, 0), result.text(0, 1))
            if turn.timeline != timeline { (turn.obeyed, turn.timeline) = (nil, timeline) }
            let isNew = turn.obeyed != newest
            if isNew { try obey(upTo: newest, &turn, connection) }
            let isDue = turn.renewed.map { ContinuousClock.now - $0 >= Self.renewal } ?? true
            if isNew || isDue || turn.address != state.withLock({ $0.address }) { try renew(&turn, connection) }
        }

        private func obey(upTo newest: Int64, _ turn: inout Turn, _ connection: PostgresConnection) throws(FirestoreError) {
            var notices: [ClusterNotice]?
            if let obeyed = turn.obeyed {
                let result = try query(
                    connection, "SELECT number, kind, payload FROM \(tables.notices) WHERE number > $1 AND number <= $2 ORDER BY number",
                    .int8(obeyed), .int8(newest))
                let found = (0..<result.count).map { row in
                    ClusterNotice(
                        number: result.integer(row, 0), kind: ClusterNotice.Kind(rawValue: Int32(result.integer(row, 1))),
                        payload: result.array(row, 2) ?? [])
                }
                // Old ones are removed, and a later version may have kinds of its own.
                let isWhole = found.count == Int(newest - obeyed) && found.allSatisfy { $0.kind != nil }
                notices = isWhole ? found : nil
            }
            for obey in state.withLock({ $0.obeying }) { try obey(notices) }
            turn.obeyed = newest
        }

        /// Nothing happens if a notice was published in between: the next look obeys it first.
        private func renew(_ turn: inout Turn, _ connection: PostgresConnection) throws(FirestoreError) {
            guard let obeyed = turn.obeyed, let timeline = turn.timeline else { return }
            let address = state.withLock { $0.address }
            let sent = ContinuousClock.now
            let result = try query(
                connection,
                """
                WITH c AS (SELECT notice FROM \(tables.cluster) FOR SHARE)
                INSERT INTO \(tables.nodes) AS n(node, address, version, seen, notice)
                SELECT $1, $2, \(PostgresTables.writer), clock_timestamp(), c.notice FROM c
                WHERE c.notice = $3 AND \(tables.timeline) = $4
                ON CONFLICT (node) DO UPDATE SET address = excluded.address, seen = excluded.seen, notice = excluded.notice
                """, .bytes(node), .text(address), .int8(obeyed), .text(timeline))
            guard result.affected > 0 else { return }
            (turn.renewed, turn.address) = (sent, address)
            state.withLock { state in
                guard !state.isLeaving else { return }
                if let end = state.end, end <= .now { state.lapses += 1 }
                state.end = sent + Self.length
            }
        }

        private func connect() throws(FirestoreError) -> PostgresConnection {
            do {
                return try PostgresConnection(settings)
            } catch {
                throw errors.translate(error)
            }
        }

        private func query(
            _ connection: PostgresConnection, _ text: String, _ values: PostgresValue...
        ) throws(FirestoreError) -> PostgresResult {
            do {
                return try connection.query(PostgresCall(PostgresStatement(text), values: values))
            } catch {
                throw errors.translate(error)
            }
        }

        // MARK: For callers, with a connection of their own

        package func rulesets() throws(FirestoreError) -> [ClusterRuleset] {
            let connection = try connect()
            defer { connection.close() }
            let result = try query(connection, "SELECT scope, hash, source FROM \(tables.rulesets) ORDER BY scope")
            return (0..<result.count).map { row in
                ClusterRuleset(
                    scope: String(decoding: result.array(row, 0) ?? [], as: UTF8.self), hash: result.array(row, 1) ?? [],
                    text: result.text(row, 2) ?? "")
            }
        }

        package func deploy(_ rulesets: [ClusterRuleset], removing scopes: [String]) throws(FirestoreError) -> Int {
            let number = "(SELECT notice FROM \(tables.cluster))"
            var changes = rulesets.map { ruleset in
                PostgresCall(
                    PostgresStatement(
                        """
                        INSERT INTO \(tables.rulesets)(scope, hash, source, notice) VALUES($1, $2, $3, \(number))
                        ON CONFLICT (scope) DO UPDATE SET hash = excluded.hash, source = excluded.source, notice = excluded.notice
                        """), .bytes([UInt8](ruleset.scope.utf8)), .bytes(ruleset.hash), .text(ruleset.text))
            }
            changes += scopes.map { scope in
                PostgresCall(
                    PostgresStatement("DELETE FROM \(tables.rulesets) WHERE scope = $1"), .bytes([UInt8](scope.utf8)))
            }
            return try publish(.rules, changes)
        }

        /// Makes changes together with the notice of them, and waits until every living node has obeyed it.
        private func publish(_ kind: ClusterNotice.Kind, _ changes: [PostgresCall]) throws(FirestoreError) -> Int {
            let connection = try connect()
            defer { connection.close() }
            let number: Int64
            do {
                let (first, last) = publication(of: kind, [])
                number = try connection.query([PostgresCall(.begin), first] + changes + last + [PostgresCall(.commit)])[1].integer(0, 0)
            } catch {
                throw errors.translate(error)
            }
            return try awaitObedience(of: number, connection)
        }

        /// The statements of a transaction that publishes: one that returns the number and orders it among the others, and those behind
        /// what the notice is about.
        func publication(of kind: ClusterNotice.Kind, _ payload: [UInt8]) -> (first: PostgresCall, last: [PostgresCall]) {
            // Nodes that joined before a fail-over may be missing: their leases have to end first.
            let first = PostgresCall(
                PostgresStatement(
                    """
                    UPDATE \(tables.cluster) SET notice = notice + 1, timeline = \(tables.timeline), since =
                    CASE WHEN timeline IN ('', \(tables.timeline)) THEN since ELSE clock_timestamp() END RETURNING notice
                    """))
            let notice = PostgresStatement(
                """
                INSERT INTO \(tables.notices)(number, kind, payload, at)
                SELECT notice, $1, $2, clock_timestamp() FROM \(tables.cluster)
                """)
            let last = [
                PostgresCall(notice, .int4(kind.rawValue), .bytes(payload)),
                PostgresCall(PostgresStatement("DELETE FROM \(tables.notices) WHERE at < clock_timestamp() - interval '1 hour'")),
                PostgresCall(PostgresStatement("DELETE FROM \(tables.nodes) WHERE seen < clock_timestamp() - interval '1 day'")),
            ]
            return (first, last)
        }

        func awaitObedience(of notice: Int64) throws(FirestoreError) {
            let connection = try connect()
            defer { connection.close() }
            _ = try awaitObedience(of: notice, connection)
        }

        /// The number of living nodes, when all of them have obeyed. A node that is not seen does not delay longer than its lease lasts,
        /// and than its last commit takes.
        private func awaitObedience(of notice: Int64, _ connection: PostgresConnection) throws(FirestoreError) -> Int {
            while !DeliberateDefect.noticesNotAwaited.isOn {
                let living = try query(
                    connection,
                    """
                    SELECT count(*), count(*) FILTER (WHERE notice < $1), (SELECT since > \(Self.oldest) FROM \(tables.cluster))
                    FROM \(tables.nodes) WHERE seen > \(Self.oldest)
                    """, .int8(notice))
                if living.integer(0, 1) == 0, living.integer(0, 2) == 0 {
                    _ = try query(connection, "SELECT 1 FROM \(tables.nodes) WHERE seen <= \(Self.oldest) FOR UPDATE")
                    return Int(living.integer(0, 0))
                }
                Thread.sleep(forTimeInterval: 0.01)
            }
            return 0
        }

        package func all() throws(FirestoreError) -> [ClusterNode] {
            let connection = try connect()
            defer { connection.close() }
            let result = try query(
                connection,
                """
                SELECT address, extract(epoch FROM clock_timestamp() - seen)::float8, seen > \(Self.oldest), node = $1
                FROM \(tables.nodes) ORDER BY address, node
                """, .bytes(node))
            return (0..<result.count).map { row in
                ClusterNode(
                    address: result.text(row, 0) ?? "", secondsSinceSeen: result.double(row, 1), isLive: result.integer(row, 2) != 0,
                    isSelf: result.integer(row, 3) != 0)
            }
        }
    }
#endif
