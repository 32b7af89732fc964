// SPDX-License-Identifier: Apache-2.0
#if Postgres
    import FirestoreCore
    import PostgresLink

    /// What this process knows of the history of a database, and the latest moment of it that it has seen (DN-8.3).
    final class HistoryRecord: Sendable {
        private struct State {
            var history: DatabaseHistory
            /// The greatest `last_commit` that any statement has returned.
            var seen: Int64
        }

        private let state: Mutex<State>

        init(_ history: DatabaseHistory, seen: Int64) { state = Mutex(State(history: history, seen: seen)) }

        var history: DatabaseHistory { state.withLock { $0.history } }
        var seen: Int64 { state.withLock { $0.seen } }

        /// Records what a statement has returned. Returns false if it is of another history, which `learn` has to learn about.
        func saw(_ lastCommit: Int64, in history: Int64) -> Bool {
            state.withLock { state in
                guard state.history.number == UInt64(bitPattern: history) else { return false }
                state.seen = max(state.seen, lastCommit)
                return true
            }
        }

        /// Continues in the present history. Returns false if this process has seen commits that are not part of it.
        func learn(_ epochs: EpochList, lastCommit: Int64) -> Bool {
            state.withLock { state in
                guard let end = epochs.end(of: state.history.number), state.seen <= end else { return false }
                state.history = epochs.history
                state.seen = max(state.seen, lastCommit)
                return true
            }
        }
    }

    /// The histories of a database, the oldest first, each with the last commit before it.
    struct EpochList {
        let numbers: [UInt64]
        let starts: [Int64]

        static func call(_ session: StoreSession) -> PostgresCall {
            session.call("SELECT history, after FROM \(session.tables.epochs) WHERE db = $1 ORDER BY ord")
        }

        init(_ result: PostgresResult) {
            numbers = (0..<result.count).map { UInt64(bitPattern: result.integer($0, 0)) }
            starts = (0..<result.count).map { result.integer($0, 1) }
        }

        private init(_ numbers: [UInt64], _ starts: [Int64]) { (self.numbers, self.starts) = (numbers, starts) }

        func appending(_ number: UInt64, after time: Int64) -> EpochList { EpochList(numbers + [number], starts + [time]) }

        /// The last moment of a history that the present one includes; nil if it is unknown.
        func end(of number: UInt64) -> Int64? {
            guard let index = numbers.lastIndex(of: number) else { return nil }
            return index + 1 < starts.count ? starts[index + 1] : .max
        }

        var history: DatabaseHistory {
            let earlier = zip(numbers, starts.dropFirst()).map {
                DatabaseHistory.Earlier(number: $0, end: DocumentVersion(microseconds: $1))
            }
            return DatabaseHistory(number: numbers.last ?? 0, earlier: earlier)
        }
    }
#endif
