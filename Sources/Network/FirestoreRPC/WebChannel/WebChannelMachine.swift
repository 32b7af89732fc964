// SPDX-License-Identifier: Apache-2.0

/// One session of WebChannel: the messages from the client in their order, the messages to send to it, and those it has acknowledged.
///
/// Decides only. Methods report events, with the time in milliseconds of a clock that never goes back; the actions that they return are
/// performed in their order. Answers to GETs have numbers, given by the caller.
///
/// **Order.** Client messages are numbered from 0 and reach the stream in that order, each once, whatever requests brought them
/// (WC-18, WC-20). Server messages are numbered from 1, 0 being the handshake's answer, and are stored until a GET acknowledges them
/// (WC-32).
///
/// **Flow control.** A client acknowledges with its next GET only. When much is unacknowledged, the answer is therefore ended, and the
/// stream is asked for no more until the next GET (WC-70).
package struct WebChannelMachine: Sendable {
    package struct Limits: Sendable {
        /// Unacknowledged messages, and bytes of them, above which an answer ends and the stream has to wait.
        package var arrays = 4_000
        package var bytes = 4 << 20
        /// The limit in place of `bytes` while all sessions together hold much.
        package var tightBytes = 64 << 10
        /// Messages of the client that wait for an earlier one, or for the stream, and their bytes.
        package var maps = 1_000
        package var mapBytes = 32 << 20
        /// Messages are put into one frame up to this size (WC-71).
        package var frame = 64 << 10
        /// After this much silence a `noop` shows the client that the connection is alive. Proxies give up after 30 s (WC-61).
        package var silence: Int64 = 20_000
        /// A session is forgotten after so long without a GET (WC-60).
        package var absence: Int64 = 90_000
        /// A session whose client has never sent a GET: a client sends the first one as soon as it has the handshake's answer.
        package var firstAbsence: Int64 = 30_000
        /// For so long after the end of an answer the client may still be reading it.
        package var reading: Int64 = 10_000

        package init() {}
    }

    package enum Action: Hashable, Sendable {
        /// Pass a message of the client to the stream, then call `taken`.
        case receive([UInt8])
        /// Begin, continue, end the answer to a GET.
        case begin(Int)
        case write(Int, [UInt8])
        case end(Int)
        /// There is room again after `isWritable` was false.
        case becameWritable
        /// The last action: the client has terminated the session, or has not come back.
        case forget
    }

    /// The answer to a GET that is open.
    private struct Answer {
        let number: Int
        /// When a poll ends without a message; nil while streaming.
        let pollEnd: Int64?
        /// The place in `arrays` of the next one to be written.
        var next = 0
        var lastWrite: Int64
    }

    private enum Life: Hashable {
        case open
        /// The stream has ended; its messages are stored for the client.
        case ended(at: Int64)
        case over
    }

    private let limits: Limits
    private var life = Life.open

    private var nextMap = 0
    /// Messages that wait for an earlier one.
    private var early: [Int: [UInt8]?] = [:]
    /// Messages that were passed on and are not taken.
    private var untaken = 0
    private var mapBytes = 0

    /// Queued or unacknowledged.
    private var arrays: [WebChannelArray] = []
    private var bytes = 0
    private var lastArray = 0
    /// The last one that was written to an answer.
    private var lastWritten = 0
    private var isFull = false
    private var isTight = false

    private var answer: Answer?
    /// Since when there has been no open answer.
    private var absentSince: Int64
    private var hadAnswer = false
    /// When the server last ended an answer, which the client may not yet have read.
    private var lastEnd: Int64?
    /// The answer ends after the queued messages.
    private var endsNext = false

    package init(limits: Limits = Limits(), now: Int64) {
        self.limits = limits
        absentSince = now
    }

    /// Bytes of messages in both directions.
    package var heldBytes: Int { bytes + mapBytes }

    /// Whether the stream may send. Ended streams may not.
    package var isWritable: Bool { life == .open && !isFull }

    package var isOver: Bool { life == .over }

    // MARK: From the client

    /// A POST. Fails without an effect if it brings more than a session may hold. After the stream's end messages have no effect
    /// (WC-46).
    package mutating func take(_ maps: [WebChannelForm.Map]) throws(WebChannelProblem) -> [Action] {
        guard life == .open else { return [] }
        let fresh = maps.filter { $0.id >= nextMap && early[$0.id] == nil }
        let size = fresh.reduce(0) { $0 + ($1.text?.count ?? 0) }
        let held = early.count + untaken
        guard held + fresh.count <= limits.maps else {
            throw WebChannelProblem("more than \(limits.maps) messages of the session wait for an earlier one, or to be carried out")
        }
        // One request is taken whatever its size, which the HTTP layer bounds; while all sessions hold much, only if it need not wait.
        let waits = !fresh.contains { $0.id == nextMap } || !isWritable
        guard size == 0 || held == 0 && !(isTight && waits) || mapBytes + size <= (isTight ? limits.tightBytes : limits.mapBytes) else {
            throw WebChannelProblem("the messages of the session that wait have too many bytes together")
        }
        for map in fresh where early[map.id] == nil { early[map.id] = .some(map.text) }
        mapBytes += size
        var actions: [Action] = []
        while let text = early.removeValue(forKey: nextMap) {
            nextMap += 1
            guard let text else { continue }
            untaken += 1
            actions.append(.receive(text))
        }
        return actions
    }

    /// The stream has taken a message of so many bytes.
    package mutating func taken(_ size: Int) {
        untaken -= 1
        mapBytes -= size
    }

    /// The body of the answer to a POST: whether there is a back channel, the last message put on the wire, how much is
    /// unacknowledged (WC-22).
    package func reply(now: Int64) -> [UInt8] {
        let hasBack = answer != nil || lastEnd.map { now - $0 < limits.reading } ?? false
        return WebChannelFrame.frame(Array("[\(hasBack ? 1 : 0),\(lastWritten),\(bytes)]".utf8))
    }

    /// A GET, which acknowledges everything up to a message (WC-32, WC-33) and replaces an earlier one (WC-34).
    package mutating func open(_ number: Int, after acknowledged: Int, pollsFor wait: Int64?, now: Int64) -> [Action] {
        guard life != .over else { return [.begin(number), .end(number)] }
        hadAnswer = true
        var actions: [Action] = []
        if let answer { end(answer, now, &actions) }
        lastEnd = nil
        let hasRoom = acknowledge(acknowledged)
        answer = Answer(number: number, pollEnd: wait.map { now + $0 }, lastWrite: now)
        if wait == nil {
            actions.append(.begin(number))
            // A client assumes that a proxy buffers answers if the server does not send something immediately (WC-41).
            if arrays.isEmpty { append(WebChannelArray.noop) }
        }
        write(now, &actions)
        if hasRoom { actions.append(.becameWritable) }
        return actions
    }

    /// The client has gone away from a GET, or has lost its connection.
    package mutating func lost(_ number: Int, now: Int64) {
        guard answer?.number == number else { return }
        answer = nil
        absentSince = now
    }

    /// The client ends the session (WC-56).
    package mutating func terminate(now: Int64) -> [Action] {
        var actions: [Action] = []
        if let answer { end(answer, now, &actions) }
        return actions + forget()
    }

    // MARK: From the stream

    /// Queues a message, which `flush` writes.
    package mutating func send(_ content: [UInt8]) {
        guard life == .open else { return }
        append(content)
    }

    /// The stream has ended, with an error as the client reads it, or well (WC-45, WC-59). `endsAnswer`: the GET ends after it.
    package mutating func finish(_ error: [UInt8]?, endsAnswer: Bool, now: Int64) {
        guard life == .open else { return }
        append(error ?? WebChannelArray.close)
        endsNext = endsAnswer || error == nil
        life = .ended(at: now)
        early = [:]
        (untaken, mapBytes) = (0, 0)
    }

    /// Writes the queued messages to the open answer.
    package mutating func flush(now: Int64) -> [Action] {
        var actions: [Action] = []
        write(now, &actions)
        return actions
    }

    /// Ends the open answer after the queue, and after at least one message: the client treats an answer without one as a failure (WC-35).
    package mutating func endAnswer(now: Int64) -> [Action] {
        guard answer != nil else { return [] }
        endsNext = true
        append(WebChannelArray.noop)
        return flush(now: now)
    }

    /// Whether all sessions together hold much, so that each may hold less.
    package mutating func setTight(_ isTight: Bool) { self.isTight = isTight }

    // MARK: Time

    package mutating func tick(now: Int64) -> [Action] {
        guard life != .over else { return [] }
        if case .ended(let end) = life, now - end >= limits.absence { return terminate(now: now) }
        guard let answer else { return now - absentSince >= (hadAnswer ? limits.absence : limits.firstAbsence) ? forget() : [] }
        if let pollEnd = answer.pollEnd {
            guard now >= pollEnd else { return [] }
        } else {
            guard now - answer.lastWrite >= limits.silence else { return [] }
            // Ended instead of sending a `noop` only: the next GET acknowledges, and nothing is held for a quiet client.
            endsNext = bytes >= limits.tightBytes
        }
        append(WebChannelArray.noop)
        return flush(now: now)
    }

    // MARK: Parts

    private mutating func append(_ content: [UInt8]) {
        lastArray += 1
        arrays.append(WebChannelArray(id: lastArray, content: content))
        bytes += content.count
        if bytes >= (isTight ? limits.tightBytes : limits.bytes) || arrays.count >= limits.arrays { isFull = true }
    }

    /// Forgets what the client has taken in. Returns whether there is room again.
    private mutating func acknowledge(_ id: Int) -> Bool {
        let count = arrays.firstIndex { $0.id > id } ?? arrays.count
        for array in arrays[..<count] { bytes -= array.content.count }
        arrays.removeFirst(count)
        guard isFull, bytes < (isTight ? limits.tightBytes : limits.bytes) / 2, arrays.count < limits.arrays / 2 else { return false }
        isFull = false
        return life == .open
    }

    private mutating func write(_ now: Int64, _ actions: inout [Action]) {
        guard var answer, answer.next < arrays.count else { return }
        if answer.pollEnd != nil { actions.append(.begin(answer.number)) }
        while answer.next < arrays.count {
            var end = answer.next
            var size = 0
            repeat {
                size += arrays[end].content.count
                end += 1
            } while end < arrays.count && size + arrays[end].content.count <= limits.frame
            actions.append(.write(answer.number, WebChannelFrame.frame(arrays[answer.next..<end])))
            answer.next = end
        }
        lastWritten = max(lastWritten, lastArray)
        answer.lastWrite = now
        self.answer = answer
        guard answer.pollEnd != nil || isFull || endsNext else { return }
        endsNext = false
        actions.append(.end(answer.number))
        self.answer = nil
        absentSince = now
        lastEnd = now
    }

    /// Ends an answer to which nothing more is written.
    private mutating func end(_ answer: Answer, _ now: Int64, _ actions: inout [Action]) {
        if answer.pollEnd != nil { actions.append(.begin(answer.number)) }
        actions.append(.end(answer.number))
        self.answer = nil
        absentSince = now
    }

    private mutating func forget() -> [Action] {
        life = .over
        arrays = []
        early = [:]
        (bytes, mapBytes, untaken) = (0, 0, 0)
        return [.forget]
    }
}
