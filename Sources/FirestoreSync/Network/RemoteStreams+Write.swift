// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

extension RemoteStreams {
    private var needsWriteStream: Bool { canUseNetwork && !writeStream.isStarted && !pipeline.isEmpty }

    // MARK: The pipeline

    /// Takes batches from the queue until the window is full (SY-50).
    func fillPipeline() {
        recoverably { (streams) throws(FirestoreError) in try streams.takeBatches() }
        if needsWriteStream { startWriteStream() }
    }

    private func takeBatches() throws(FirestoreError) {
        while canUseNetwork, pipeline.count < transport.writeWindow {
            guard let batch = try store.nextBatch(after: pipeline.last?.id) else {
                if pipeline.isEmpty, writeStream.markIdle() { timers.start(.writeIdle, after: settings.idle) }
                return
            }
            pipeline.append(batch)
            if writeStream.link != nil, handshakeIsComplete { send(batch) }
        }
    }

    private func send(_ batch: PendingBatch) {
        if writeStream.isUsed() { timers.cancel(.writeIdle) }
        writeStream.link?.send(WriteRequest(database: database, streamToken: streamToken, writes: batch.writes))
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
        let number = writeStream.nextNumber()
        handshakeIsComplete = false
        let link = transport.openWrite { [post] event in
            post { engine in engine.streams.writeStream(number, event) }
        }
        writeStream.opened(link, now: settings.now())
        link.send(WriteRequest(database: database))
    }

    func stopWriteStream() {
        timers.cancel(.writeBackoff)
        timers.cancel(.writeIdle)
        let link = writeStream.stop()
        // A message without writes is how a client leaves (SY-55).
        if handshakeIsComplete { link?.send(WriteRequest(database: database, streamToken: streamToken)) }
        handshakeIsComplete = false
        link?.close()
    }

    func closeIdleWriteStream() { stopWriteStream() }

    /// An event of a stream; nothing happens if it is not the present one.
    func writeStream(_ number: Int, _ event: WriteStreamEvent) {
        guard number == writeStream.number, writeStream.link != nil else { return }
        switch event {
        case .response(let response): received(response)
        case .ended(let error): writeStreamEnded(error)
        }
    }

    private func received(_ response: WriteResponse) {
        streamToken = response.streamToken
        guard handshakeIsComplete else {
            handshakeIsComplete = true
            for batch in pipeline { send(batch) }
            return
        }
        writeStream.succeeded()
        guard let batch = pipeline.first else {
            return syncer.noteAnomaly("an answer on the Write stream to which no batch belongs")
        }
        pipeline.removeFirst()
        recoverably(mustSucceed: true) { (streams) throws(FirestoreError) in
            try streams.syncer.acknowledge(
                batch, at: response.commitTime ?? .none, results: response.results, streamToken: response.streamToken)
        }
        fillPipeline()
    }

    private func writeStreamEnded(_ error: FirestoreError?) {
        writeStream.failed(error)
        timers.cancel(.writeIdle)
        if let error {
            if error.code == .unauthenticated { transport.invalidateCredentials() }
            if handshakeIsComplete {
                if !pipeline.isEmpty { failed(error) }
            } else if error.isPermanentWriteError {
                streamToken = .empty
            }
        }
        handshakeIsComplete = false
        if needsWriteStream { startWriteStream() }
    }

    /// The answer to the oldest batch is an error (SY-66): it is rejected, or sent again as often as it takes.
    private func failed(_ error: FirestoreError) {
        guard error.isPermanentWriteError else {
            if let batch = pipeline.first { syncer.noteAttempt(batch, error) }
            return
        }
        let batch = pipeline.removeFirst()
        writeStream.inhibitBackoff()
        recoverably(mustSucceed: true) { (streams) throws(FirestoreError) in try streams.syncer.reject(batch, because: error) }
        fillPipeline()
    }
}
