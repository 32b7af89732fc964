// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import Dispatch
    import FirestoreCore
    import Foundation
    import PostgresLink

    /// Looks for new commits of all databases of a node that are followed, with one statement on a connection of its own (DN-5.3).
    ///
    /// Every 5 ms while commits were seen lately, backing off to 250 ms. The thread exists while something is followed.
    final class LogPoller: Sendable {
        private struct Followed {
            let store: PostgresStore
            var lastCommit: Int64
        }

        private struct State {
            var followed: [ObjectIdentifier: Followed] = [:]
            var isRunning = false
            var isClosed = false
        }

        private let settings: PostgresSettings
        private let tables: PostgresTables
        private let state = Mutex(State())
        private let wakeUp = DispatchSemaphore(value: 0)

        private static let shortest = 5
        private static let longest = 250

        init(_ settings: PostgresSettings, _ tables: PostgresTables) { (self.settings, self.tables) = (settings, tables) }

        func add(_ store: PostgresStore) {
            let starts = state.withLock { state in
                guard !state.isClosed else { return false }
                if state.followed[ObjectIdentifier(store)] == nil {
                    state.followed[ObjectIdentifier(store)] = Followed(store: store, lastCommit: 0)
                }
                defer { state.isRunning = true }
                return !state.isRunning
            }
            guard starts else {
                wakeUp.signal()
                return
            }
            let thread = Thread { [self] in run() }
            thread.name = "hearth poller"
            thread.stackSize = 512 * 1_024
            thread.start()
        }

        func remove(_ store: PostgresStore) {
            state.withLock { $0.followed[ObjectIdentifier(store)] = nil }
        }

        func close() {
            state.withLock { state in
                state.isClosed = true
                state.followed = [:]
            }
            wakeUp.signal()
        }

        private func run() {
            var connection: PostgresConnection?
            var pause = Self.shortest
            var calm = 0
            while let stores = next() {
                do {
                    let open = if let connection { connection } else { try PostgresConnection(settings) }
                    connection = open
                    let news = try look(stores, open)
                    calm = news ? 0 : calm + 1
                    // Commits come in bursts: half a second of the shortest pause, then longer ones.
                    pause = calm < 100 ? Self.shortest : min(Self.longest, pause * 2)
                } catch {
                    connection?.close()
                    (connection, pause) = (nil, Self.longest)
                }
                if wakeUp.wait(timeout: .now() + .milliseconds(pause)) == .success { (pause, calm) = (Self.shortest, 0) }
            }
            connection?.close()
        }

        /// nil if nothing is followed any more: the thread ends.
        private func next() -> [PostgresStore]? {
            state.withLock { state in
                guard state.followed.isEmpty else { return state.followed.values.map(\.store) }
                state.isRunning = false
                return nil
            }
        }

        /// Returns whether there was something new.
        private func look(_ stores: [PostgresStore], _ connection: PostgresConnection) throws(PostgresError) -> Bool {
            let result = try connection.query(
                PostgresCall(
                    PostgresStatement("SELECT db, last_commit, \(tables.presentHistory) FROM \(tables.meta) WHERE db = ANY($1)"),
                    .int4s(stores.map(\.place.database))))
            var rows: [Int32: (lastCommit: Int64, history: Int64)] = [:]
            for row in 0..<result.count { rows[Int32(result.integer(row, 0))] = (result.integer(row, 1), result.integer(row, 2)) }
            var isNew = false
            for store in stores {
                guard let row = rows[store.place.database] else {
                    _ = store.endDeleted()
                    remove(store)
                    continue
                }
                if !store.record.saw(row.lastCommit, in: row.history) {
                    // `learn` ends the store if it has to.
                    try? store.learn(StoreSession(connection, store.place), lastCommit: row.lastCommit)
                    if store.gate.end != nil { remove(store) }
                }
                if advance(store, to: row.lastCommit) {
                    isNew = true
                    store.followers.wake()
                }
            }
            return isNew
        }

        private func advance(_ store: PostgresStore, to lastCommit: Int64) -> Bool {
            state.withLock { state in
                guard let known = state.followed[ObjectIdentifier(store)]?.lastCommit, known < lastCommit else { return false }
                state.followed[ObjectIdentifier(store)]?.lastCommit = lastCommit
                return true
            }
        }
    }
#endif
