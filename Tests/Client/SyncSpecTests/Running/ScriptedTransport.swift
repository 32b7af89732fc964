// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire

/// The fake server (SY-223, SY-224): it records what the client asks for, and sends what the scenario says.
///
/// `@unchecked Sendable`: used on the thread of its test only, like the engine above it.
final class ScriptedTransport: SyncTransport, @unchecked Sendable {
    /// A target as last requested.
    struct ActiveTarget {
        let target: SyncTarget
        /// The value of the label; nil for an ordinary listener.
        let label: String?
        let start: ListenTargetRequest.Start
        let expectedCount: Int?
    }

    let writeWindow = 10
    let resumesWriteStreams = false

    private(set) var activeTargets: [TargetID: ActiveTarget] = [:]
    private(set) var watchRequestCount = 0
    private(set) var writeRequestCount = 0
    /// The batches that were sent and not answered, in order.
    private(set) var sentBatches: [[Write]] = []
    /// What no client may do.
    private(set) var violations: [String] = []

    private var listenLink: ListenStream?
    private var writeLink: WriteStream?
    private var tokenCount = 0

    var isWatchOpen: Bool { listenLink != nil }

    // MARK: The client's side

    func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
        if listenLink != nil { violations.append("the client opened a second Listen stream beside the first") }
        let link = ListenStream(server: self, receive: receive)
        listenLink = link
        activeTargets = [:]
        return link
    }

    func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
        if writeLink != nil { violations.append("the client opened a second Write stream beside the first") }
        let link = WriteStream(server: self, receive: receive)
        writeLink = link
        sentBatches = []
        return link
    }

    func invalidateCredentials() {}

    // MARK: The scenario's side

    /// Sends a frame; false if no stream is open.
    func send(_ response: ListenResponse) -> Bool {
        guard let listenLink else { return false }
        listenLink.receive(.response(response))
        return true
    }

    /// Forgets targets that it removes with an error. Returns those that were not active.
    func forget(_ targets: [TargetID]) -> [TargetID] { targets.filter { activeTargets.removeValue(forKey: $0) == nil } }

    func endWatchStream(_ error: FirestoreError) -> Bool {
        guard let link = listenLink else { return false }
        listenLink = nil
        activeTargets = [:]
        link.receive(.ended(error))
        return true
    }

    /// Answers the oldest batch.
    func acknowledge(at version: DocumentVersion) -> Bool {
        guard let writeLink, !sentBatches.isEmpty else { return false }
        let writes = sentBatches.removeFirst()
        writeLink.receive(
            .response(
                WriteResponse(
                    streamID: "", streamToken: nextToken(), results: writes.map { _ in WriteResult(updateTime: version) },
                    commitTime: version)))
        return true
    }

    func endWriteStream(_ error: FirestoreError) -> Bool {
        guard let link = writeLink else { return false }
        writeLink = nil
        sentBatches = []
        link.receive(.ended(error))
        return true
    }

    private func nextToken() -> ByteSlice {
        tokenCount += 1
        return ByteSlice([UInt8]("write-\(tokenCount)".utf8))
    }

    // MARK: Streams

    /// `@unchecked Sendable`: as its server.
    private final class ListenStream: ListenLink, @unchecked Sendable {
        private unowned let server: ScriptedTransport
        let receive: @Sendable (ListenStreamEvent) -> Void

        init(server: ScriptedTransport, receive: @escaping @Sendable (ListenStreamEvent) -> Void) {
            self.server = server
            self.receive = receive
        }

        func send(_ request: ListenRequest) { server.take(request, from: self) }

        func close() {
            guard server.listenLink === self else { return }
            server.listenLink = nil
            server.activeTargets = [:]
        }
    }

    /// `@unchecked Sendable`: as its server.
    private final class WriteStream: WriteLink, @unchecked Sendable {
        private unowned let server: ScriptedTransport
        let receive: @Sendable (WriteStreamEvent) -> Void
        var hasHandshake = false
        /// Whether the client has said that it closes the stream.
        var isEnding = false

        init(server: ScriptedTransport, receive: @escaping @Sendable (WriteStreamEvent) -> Void) {
            self.server = server
            self.receive = receive
        }

        func send(_ request: WriteRequest) { server.take(request, from: self) }

        /// A polite close counts as a message, whether it is sent or left to the transport (SY-55).
        func close() {
            guard server.writeLink === self else { return }
            if hasHandshake, !isEnding { server.writeRequestCount += 1 }
            server.writeLink = nil
            server.sentBatches = []
        }
    }

    private func take(_ request: ListenRequest, from link: ListenStream) {
        guard listenLink === link else { return }
        watchRequestCount += 1
        switch request.change {
        case .remove(let id): activeTargets[id] = nil
        case .add(let add):
            switch add.target {
            case .failure(let error): violations.append("the client requested target \(add.targetID), which is invalid: \(error)")
            case .success(let target):
                let old = activeTargets.updateValue(
                    ActiveTarget(
                        target: SpecValues.canonical(target), label: request.labels.first { $0.name == "goog-listen-tags" }?.value,
                        start: add.start, expectedCount: add.expectedCount),
                    forKey: add.targetID)
                if old != nil { violations.append("the client added target \(add.targetID), which is active") }
            }
        }
        if request.database != SpecValues.database { violations.append("the client named another database: \(request.database)") }
    }

    private func take(_ request: WriteRequest, from link: WriteStream) {
        guard writeLink === link else { return }
        writeRequestCount += 1
        guard link.hasHandshake else {
            link.hasHandshake = true
            if request.database != SpecValues.database { violations.append("the handshake of the Write stream lacks the database") }
            if !request.writes.isEmpty { violations.append("the handshake of the Write stream contains writes") }
            link.receive(.response(WriteResponse(streamID: "", streamToken: nextToken())))
            return
        }
        if request.writes.isEmpty {
            link.isEnding = true
        } else {
            sentBatches.append(request.writes)
        }
    }
}
