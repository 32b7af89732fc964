// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// A page that watches calls: events that it has not taken yet wait here, up to a limit.
package final class ConsoleRequestPage: Sendable {
    private struct State {
        var entries: [[UInt8]] = []
        var bytes = 0
        var dropped = 0
        var isTold = false
        var isCancelled = false
    }

    private let limit: Int
    private let onNews: @Sendable () -> Void
    private let onCancel: @Sendable (ConsoleRequestPage) -> Void
    private let state = Mutex(State())

    init(limit: Int, onNews: @escaping @Sendable () -> Void, onCancel: @escaping @Sendable (ConsoleRequestPage) -> Void) {
        self.limit = limit
        self.onNews = onNews
        self.onCancel = onCancel
    }

    /// The lines for the page, without their ends: `{"requests":[…]}`, and `{"dropped":12}` if calls were left out.
    package func take() -> [[UInt8]] {
        let taken = state.withLock { state in
            defer { state = State(isCancelled: state.isCancelled) }
            return state
        }
        var lines: [[UInt8]] = []
        if !taken.entries.isEmpty {
            var line = Array(#"{"requests":["#.utf8)
            for (index, entry) in taken.entries.enumerated() {
                if index > 0 { line.append(UInt8(ascii: ",")) }
                line += entry
            }
            lines.append(line + Array("]}".utf8))
        }
        if taken.dropped > 0 { lines.append(Array(#"{"dropped":\#(taken.dropped)}"#.utf8)) }
        return lines
    }

    /// The page is gone.
    package func cancel() {
        state.withLock { $0 = State(isCancelled: true) }
        onCancel(self)
    }

    /// Adds the calls that were recorded before the page came. If not all of them fit, the newest are sent.
    func addKept(_ entries: [[UInt8]]) {
        var room = limit
        var first = entries.endIndex
        while first > entries.startIndex, entries[first - 1].count <= room {
            first -= 1
            room -= entries[first].count
        }
        add(Array(entries[first...]), leftOut: 0, first: true)
    }

    func add(_ entries: [[UInt8]], leftOut: Int, first: Bool = false) {
        let isNews = state.withLock { state in
            guard !state.isCancelled else { return false }
            state.dropped += leftOut
            var fitting: [[UInt8]] = []
            for entry in entries {
                guard state.bytes + entry.count <= limit else {
                    state.dropped += 1
                    continue
                }
                state.bytes += entry.count
                fitting.append(entry)
            }
            // Calls that have ended while the recorded ones were collected come after them.
            state.entries = first ? fitting + state.entries : state.entries + fitting
            defer { if !state.entries.isEmpty || state.dropped > 0 { state.isTold = true } }
            return !state.isTold && (!state.entries.isEmpty || state.dropped > 0)
        }
        if isNews { onNews() }
    }
}
