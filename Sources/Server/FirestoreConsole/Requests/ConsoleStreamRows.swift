// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// The rows of a stream that lasts: one for each write, or for each target.
protocol ConsoleStreamRows: Sendable {
    /// Called before the stream receives the message.
    func received(_ message: ByteSlice)
    func sent(_ message: [UInt8])
    /// The stream has ended, and its open rows with it. Returns whether there was a row.
    func ended(_ code: FirestoreError.Code, _ message: String) -> Bool
}

extension ConsoleRequests {
    /// The rows of one stream that are open at a time.
    private static let mostOpenRows = 100

    /// Records the row that a message of a stream begins; nil if `open` rows or the budget leave no capacity for it.
    func row(of stream: ConsoleCallBegin, _ message: ByteSlice, open: Int) -> ConsoleRequestRecord? {
        guard open < Self.mostOpenRows else {
            leaveOut()
            return nil
        }
        guard admit(1) > 0 else { return nil }
        var figures = ConsoleRequestRecord.Figures()
        (figures.received, figures.isOpen) = (message.count, true)
        let (request, outline) = digest(message, stream.method)
        let record = keep(stream.part(time: settings.clock.now(), began: settings.now()), figures, request, outline)
        // A token can expire before a page asks for the caller.
        _ = caller(of: record)
        return record
    }

    func end(_ record: ConsoleRequestRecord, _ code: FirestoreError.Code = .ok, _ message: String = "") {
        _ = caller(of: record)
        if record.end(code, message, at: settings.now()) { changed(record) }
    }
}

/// The commits of a Write stream, which are answered in order.
final class ConsoleWriteRows: ConsoleStreamRows {
    private struct State {
        /// Rows without their answers, the oldest first; nil for those that are not recorded.
        var unanswered: [ConsoleRequestRecord?] = []
        var hasBegun = false
        var hasRows = false
        var isOver = false
    }

    private let begin: ConsoleCallBegin
    private let requests: ConsoleRequests
    private let state = Mutex(State())

    init(_ begin: ConsoleCallBegin, _ requests: ConsoleRequests) {
        self.begin = begin
        self.requests = requests
    }

    func received(_ message: ByteSlice) {
        let open = state.withLock { state -> Int? in
            // The first message says only which database the stream is for.
            defer { state.hasBegun = true }
            return state.hasBegun ? state.unanswered.count : nil
        }
        // One without writes ends the stream.
        guard let open, !RequestOutline(message, of: .write).path.utf8.isEmpty else { return }
        let record = requests.row(of: begin, message, open: open)
        let isOver = state.withLock { state in
            state.unanswered.append(record)
            state.hasRows = true
            return state.isOver
        }
        if isOver, let record { requests.end(record, .cancelled) }
    }

    func sent(_ message: [UInt8]) {
        guard FirestoreMethod.isCommitted(message) else { return }
        guard let record = state.withLock({ $0.unanswered.isEmpty ? nil : $0.unanswered.removeFirst() }) else { return }
        record.update { figures in
            figures.sent += message.count
            figures.documents += FirestoreMethod.write.documentCount(of: message)
        }
        requests.end(record)
    }

    func ended(_ code: FirestoreError.Code, _ message: String) -> Bool {
        let (rest, hasRows) = state.withLock { state in
            defer { state.unanswered = [] }
            state.isOver = true
            return (state.unanswered, state.hasRows)
        }
        // The stream ends with the failure of its oldest commit; none of those behind it is applied.
        if let first = rest.first, let first { requests.end(first, code == .ok ? .cancelled : code, message) }
        for record in rest.dropFirst() {
            if let record { requests.end(record, .cancelled, "not applied: the stream ended before it") }
        }
        return hasRows
    }
}

/// The targets of a Listen stream.
final class ConsoleTargetRows: ConsoleStreamRows {
    private struct Row {
        let record: ConsoleRequestRecord
        /// Whether something has arrived since the last snapshot.
        var hasNews = true
    }

    private struct State {
        var rows: [Int32: Row] = [:]
        var hasRows = false
        var isOver = false

        /// A client that lets the server choose the id adds the target as 0.
        func key(_ id: Int32) -> Int32 { rows[id] == nil ? 0 : id }

        mutating func remove(_ ids: [Int32]) -> [ConsoleRequestRecord] { ids.compactMap { rows.removeValue(forKey: key($0))?.record } }
    }

    private let begin: ConsoleCallBegin
    private let requests: ConsoleRequests
    private let state = Mutex(State())

    init(_ begin: ConsoleCallBegin, _ requests: ConsoleRequests) {
        self.begin = begin
        self.requests = requests
    }

    func received(_ message: ByteSlice) {
        guard let target = RequestOutline(message, of: .listen).target else { return }
        let (before, open) = state.withLock { state in (state.rows.removeValue(forKey: target.id), state.rows.count) }
        if let before { requests.end(before.record) }
        guard target.isAdded else { return }
        let record = requests.row(of: begin, message, open: open)
        let isOver = state.withLock { state in
            state.hasRows = true
            guard let record else { return false }
            if !state.isOver { state.rows[target.id] = Row(record: record) }
            return state.isOver
        }
        if isOver, let record { requests.end(record, .cancelled) }
    }

    func sent(_ message: [UInt8]) {
        if let change = FirestoreMethod.targetChange(in: message) { return take(change) }
        let records = state.withLock { state in
            (FirestoreMethod.targets(ofChange: message) ?? []).compactMap { id in
                state.rows[state.key(id)]?.hasNews = true
                return state.rows[state.key(id)]?.record
            }
        }
        for record in records {
            record.update { figures in
                figures.sent += message.count
                figures.documents += 1
            }
        }
    }

    private func take(_ change: TargetChange) {
        switch change.kind {
        case .noChange where change.targets.isEmpty && change.readTime != nil: snapshot()
        case .noChange: break
        case .remove:
            let removed = state.withLock { $0.remove(change.targets) }
            for record in removed { requests.end(record, change.cause?.code ?? .ok, change.cause?.description ?? "") }
        case .add, .current, .reset:
            state.withLock { state in for id in change.targets { state.rows[state.key(id)]?.hasNews = true } }
        }
    }

    /// A snapshot has been sent: one state of all targets.
    private func snapshot() {
        let records = state.withLock { state in
            let news = state.rows.filter(\.value.hasNews)
            for id in news.keys { state.rows[id]?.hasNews = false }
            return news.values.map(\.record).sorted { $0.id < $1.id }
        }
        for record in records {
            record.update { $0.snapshots += 1 }
            _ = requests.caller(of: record)
        }
    }

    func ended(_ code: FirestoreError.Code, _ message: String) -> Bool {
        let (rows, hasRows) = state.withLock { state in
            defer { state.rows = [:] }
            state.isOver = true
            return (state.rows.values.map(\.record).sorted { $0.id < $1.id }, state.hasRows)
        }
        for record in rows { requests.end(record, code, message) }
        return hasRows
    }
}
