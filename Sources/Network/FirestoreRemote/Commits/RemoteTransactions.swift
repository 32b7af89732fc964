// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The server's ids of transactions. Ended ones are remembered for a while, because their errors come from the server (TX-7).
final class RemoteTransactions: Sendable {
    private struct State {
        var tokens: [UInt64: ByteSlice] = [:]
        /// Transactions that have not read yet.
        var unread: Set<UInt64> = []
        var first: UInt64
        var next: UInt64
    }

    private let state: Mutex<State>
    private static let most: UInt64 = 20_000

    init() {
        let first = UInt64.random(in: 1..<1 << 62)
        state = Mutex(State(first: first, next: first))
    }

    func add(_ token: ByteSlice) -> TransactionID {
        state.withLock { state in
            state.tokens[state.next] = token
            state.unread.insert(state.next)
            if state.next - state.first >= Self.most {
                state.tokens[state.first] = nil
                state.unread.remove(state.first)
                state.first += 1
            }
            state.next += 1
            return TransactionID(state.next - 1)
        }
    }

    /// Returns true once, for the first caller.
    func beginsReading(_ id: TransactionID) -> Bool { state.withLock { $0.unread.remove(id.number) != nil } }

    func token(of id: TransactionID) throws(FirestoreError) -> ByteSlice {
        guard let token = state.withLock({ $0.tokens[id.number] }) else {
            throw .invalidArgument("invalid transaction: it was not begun here")
        }
        return token
    }
}
