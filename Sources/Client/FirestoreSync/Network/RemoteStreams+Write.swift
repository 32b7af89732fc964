// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

extension RemoteStreams {
    private var needsWriteStream: Bool { canUseNetwork && !writeStream.isStarted && !outgoing.isEmpty }

    // MARK: The pipeline

    /// Takes batches from the queue until the window is full (SY-50).
    func fillPipeline() {
        recoverably(.queue) { (streams) throws(FirestoreError) in try streams.takeBatches() }
        if needsWriteStream { startWriteStream() }
    }

    /// New batches are in the queue. They are sent from memory, unless others wait before them. `areRecorded`: the store has recorded that
    /// they are sent.
    func queued(_ batches: [PendingBatch], areRecorded: Bool) {
        if areRecorded, let last = batches.last { outgoing.recorded(upTo: last.id) }
        let isNext = batches.first.map { outgoing.isNext($0.id) } ?? false
        recoverably(.queue) { (streams) throws(FirestoreError) in try streams.takeBatches(isNext ? batches : []) }
        if needsWriteStream { startWriteStream() }
    }

    /// Takes batches from the queue until the window is full. `next`: the first ones, if they are known.
    private func takeBatches(_ next: [PendingBatch] = []) throws(FirestoreError) {
        var next = next[...]
        // The server stores as many answers as may be unanswered. The queue of another user, whom another process of the cache
        // shows, is not sent with this one's credentials.
        while canUseNetwork, syncer.firstHeldBatch != 0, store.user == store.ownUser, let room = outgoing.room(in: transport) {
            if next.isEmpty {
                if outgoing.hasAll(upTo: store.meta.highestBatch) { break }
                next += try store.nextBatches(after: outgoing.last?.id, limit: room.batches, bytes: room.bytes)
                if next.isEmpty { outgoing.tookAll(upTo: store.meta.highestBatch) }
            }
            guard let batch = next.popFirst() else { break }
            if let held = syncer.firstHeldBatch, batch.id >= held { break }
            if batch.attachment != nil, !syncer.maySend(batch, behind: outgoing.batches) { break }
            if outgoing.channel.phase == .open { try noteSent(upTo: batch.id) }
            outgoing.append(batch)
            if outgoing.channel.phase == .open { try send(batch) }
        }
        if outgoing.isEmpty, writeStream.markIdle() { timers.start(.writeIdle, after: settings.idle) }
    }

    private func send(_ batch: PendingBatch) throws(FirestoreError) {
        let writes = batch.attachment == nil ? batch.writes : try syncer.request(of: batch)
        if writeStream.isUsed() { timers.cancel(.writeIdle) }
        let token = outgoing.sent(batch.id)
        writeStream.link?.send(WriteRequest(database: database, streamToken: token, writes: writes))
    }

    /// Records that batches are sent, before they are: nothing else shows a later process that they may have been applied.
    private func noteSent(upTo id: BatchID) throws(FirestoreError) {
        let newest = syncer.firstHeldBatch.map { $0 - 1 } ?? store.meta.highestBatch
        guard let mark = outgoing.mark(for: id, newest: newest) else { return }
        try store.noteSent(upTo: mark)
        outgoing.recorded(upTo: mark)
    }

    /// Whether new batches are sent as soon as they are queued. Then it is recorded with them.
    func sendsAtOnce(_ count: Int) -> Bool {
        canUseNetwork && syncer.firstHeldBatch == nil && outgoing.sendsAtOnce(count, in: transport)
    }

    // MARK: The stream

    private func startWriteStream() {
        if let delay = writeStream.start(now: settings.now()) {
            timers.start(.writeBackoff, after: delay)
        } else {
            openWriteStream()
        }
    }

    func openWriteStream() {
        guard confirmResumption() else { return }
        let number = writeStream.nextNumber()
        outgoing.channel.open()
        let link = entrance.openWrite(number)
        writeStream.opened(link, now: settings.now())
        perform(writeReachability.opening())
        link.send(outgoing.channel.handshake(in: database, resumes: transport.resumesWriteStreams))
    }

    /// The link ends the stream as the protocol asks for, with a message without writes (SY-55).
    func stopWriteStream(keepingRejection: Bool = false) {
        timers.cancel(.writeBackoff)
        timers.cancel(.writeIdle)
        outgoing.channel.close()
        writeStream.stop(keepingRejection: keepingRejection)?.close()
        perform(writeReachability.ended())
    }

    func closeIdleWriteStream() { stopWriteStream() }

    /// Events of a stream; nothing happens if it is not the present one. Answers that follow each other are stored together.
    func writeStream(_ number: Int, _ events: [WriteStreamEvent]) {
        func isPresent() -> Bool { number == writeStream.number && writeStream.link != nil }
        var answers: [WriteResponse] = []
        for event in events {
            switch event {
            case .response(let response) where outgoing.channel.phase == .open: answers.append(response)
            case .response(let response):
                if isPresent() { handshakeAnswered(response) }
            case .ended(let error):
                if isPresent() { answered(answers) }
                answers = []
                if isPresent() { writeStreamEnded(error) }
            }
        }
        if isPresent() { answered(answers) }
    }

    // MARK: The handshake

    private func handshakeAnswered(_ response: WriteResponse) {
        perform(writeReachability.ended())
        guard case .agrees(let agreed) = outgoing.channel.greeted(with: response, resumes: transport.resumesWriteStreams) else {
            return resumptionLost("the server has continued another Write stream than the one it was asked for")
        }
        // Before anything is sent: a batch whose answer is lost must find its stream again after a restart.
        recoverably(.token) { (streams) throws(FirestoreError) in
            let last = streams.outgoing.last?.id ?? 0
            if streams.outgoing.channel.resumption == nil, let agreed {
                try streams.store.noteSent(upTo: last, token: agreed.stored)
                streams.outgoing.recorded(upTo: last)
            } else {
                try streams.noteSent(upTo: last)
            }
            streams.outgoing.channel.opened(agreed)
            try streams.sendPipeline()
        }
    }

    private func sendPipeline() throws(FirestoreError) {
        for batch in outgoing.batches { try send(batch) }
        // Nothing may be left of what the stream was opened for.
        if outgoing.isEmpty, writeStream.markIdle() { timers.start(.writeIdle, after: settings.idle) }
    }

    // MARK: Answers

    private func answered(_ responses: [WriteResponse]) {
        var answers: [AnsweredBatch] = []
        for response in responses {
            switch outgoing.channel.answered(with: response) {
            case .committed where !outgoing.isEmpty:
                answers.append(
                    AnsweredBatch(
                        outgoing.removeFirst(), at: response.commitTime ?? .none, results: response.results,
                        streamToken: outgoing.channel.resumption?.stored))
            // The error follows, as the end of the stream.
            case .failureAnnounced: break
            case .outOfOrder: return answeredOutOfOrder(after: answers)
            case .committed, .unexpected: syncer.noteAnomaly("an answer on the Write stream to which no batch belongs")
            }
        }
        store(answers)
    }

    private func store(_ answers: [AnsweredBatch]) {
        guard !answers.isEmpty else { return }
        writeStream.succeeded()
        let next = outgoing.channel.resumption
        // A server that repeats its answers makes it safe to wait for the disk once for several of them.
        let waits = next == nil || outgoing.isEmpty || outgoing.channel.unconfirmed >= transport.writeWindow / 8
        recoverably(.essential) { (streams) throws(FirestoreError) in
            try streams.syncer.acknowledge(answers, waitsForDisk: waits)
            if waits { streams.outgoing.channel.confirm(next) }
        }
        fillPipeline()
    }

    private func answeredOutOfOrder(after answers: [AnsweredBatch]) {
        store(answers)
        // The store may have failed, which has closed the stream.
        guard writeStream.link != nil else { return }
        let error = FirestoreError(.unavailable, "an answer on the Write stream out of its order")
        syncer.noteAnomaly(error.message)
        writeStream.link?.close()
        writeStreamEnded(error)
    }

    /// The token that the next stream sends must be on the disk: the server forgets all answers up to there. Returns false if it cannot
    /// be stored; the streams are opened again when the store works.
    private func confirmResumption() -> Bool {
        guard let resumption = outgoing.channel.resumption, !outgoing.channel.isConfirmed else { return true }
        var isStored = false
        recoverably(.token) { (streams) throws(FirestoreError) in
            try streams.store.setStreamToken(resumption.stored)
            streams.outgoing.channel.confirm(resumption)
            isStored = true
        }
        return isStored
    }

    private func writeStreamEnded(_ error: FirestoreError?) {
        writeStream.failed(error)
        timers.cancel(.writeIdle)
        let wasOpen = outgoing.channel.phase == .open
        let ending = outgoing.channel.ended(error)
        if let error { failed(ending, error) }
        if outgoing.isEmpty {
            perform(writeReachability.ended())
        } else if !wasOpen, error?.isConnectionError ?? true {
            perform(writeReachability.failed())
        }
        if needsWriteStream { startWriteStream() }
    }

    private func failed(_ ending: WriteChannel.Ending, _ error: FirestoreError) {
        if error.code == .unauthenticated { transport.invalidateCredentials() }
        let isAttempt = !WriteStreamResumption.isLost(error) && ending != .rejected
        if isAttempt, let batch = outgoing.batches.first { syncer.noteAttempt(batch, error) }
        switch ending {
        case .notOpened, .idle, .aborted, .interrupted: break
        case .forgotten: if outgoing.channel.resumption != nil { resumptionLost(error.message) }
        case .rejected:
            if let batch = outgoing.batches.first { reject(batch, because: error, outgoing.channel.resumption) }
            fillPipeline()
        }
    }

    /// The answer to the oldest batch is an error that sending again would repeat (SY-66, SY-67).
    private func reject(_ batch: PendingBatch, because error: FirestoreError, _ next: WriteStreamResumption?) {
        outgoing.remove(batch.id)
        writeStream.inhibitBackoff()
        recoverably(.essential) { (streams) throws(FirestoreError) in
            try streams.syncer.reject(batch, because: error, stream: next?.stored)
            streams.outgoing.channel.confirm(next)
        }
        // What was sent behind it was not applied, and waits in the queue.
        if syncer.firstHeldBatch == 0 { outgoing.removeAll() }
    }

    // MARK: A stream that the server has forgotten

    /// Whether batches that were sent have been applied is not known. Those that would do harm if applied twice are not sent
    /// again, and become failed writes; the others are sent on a new stream.
    private func resumptionLost(_ reason: String) {
        syncer.noteAnomaly("the Write stream could not be resumed: \(reason)")
        outgoing.channel.resume(nil)
        stopWriteStream()
        outgoing.removeAll()
        recoverably(.essential) { (streams) throws(FirestoreError) in
            try streams.syncer.rejectDoubtful(upTo: streams.outgoing.doubtful, because: .doubtful)
        }
        fillPipeline()
    }

    /// Reads the stream that the current user's batches were sent on last.
    func loadResumption() throws(FirestoreError) {
        let stream = try store.writeStream()
        outgoing.resume(WriteStreamResumption(stored: stream.token), sentUpTo: stream.sentUpTo)
    }
}

extension WriteStreamResumption {
    /// The form in the cache: the id of the stream, a zero byte, the token.
    var stored: ByteSlice { ByteSlice([UInt8](streamID.utf8) + [0] + token.array) }

    fileprivate init?(stored: ByteSlice) {
        let bytes = stored.array
        guard let end = bytes.firstIndex(of: 0) else { return nil }
        self.init(
            streamID: String(decoding: bytes[..<end], as: UTF8.self), token: ByteSlice(Array(bytes[(end + 1)...])))
    }
}

extension Write {
    /// Whether applying it twice has the same effect as once, if nothing else changes the document.
    var isIdempotent: Bool {
        guard precondition == nil || precondition == .exists(true) else { return false }
        return transforms.allSatisfy { transform in
            if case .increment = transform.kind { false } else { true }
        }
    }
}

extension FirestoreError {
    /// Whether a stream that ended so before its handshake says that the authority was not reached.
    fileprivate var isConnectionError: Bool { !isPermanentWriteError && code != .unauthenticated && !WriteStreamResumption.isLost(self) }

    /// A batch that may have been applied, and must not be applied twice.
    fileprivate static let doubtful = FirestoreError(
        .aborted,
        "the server no longer knows whether it has applied this write, so it was not sent again; look at the document, then retry or "
            + "dismiss the write")
}
