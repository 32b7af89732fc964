// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

@testable import FirestoreSync

/// A server that says what a test says. By itself it only confirms requests for targets, and handshakes.
///
/// `@unchecked Sendable`: used on the thread of its test only, like the engine above it.
final class ScriptedServer: SyncTransport, @unchecked Sendable {
    let writeWindow = 10
    let resumesWriteStreams = false

    var answersTargets = true
    var answersHandshakes = true

    /// `+2` for each target that was requested, `-2` for each that was withdrawn, with the token and the label of the request.
    private(set) var requests: [String] = []
    private(set) var targets: [TargetID: SyncTarget] = [:]
    /// The first message of each Write stream.
    private(set) var handshakes: [WriteRequest] = []
    /// What was sent on the Write stream that is open, and not answered.
    private(set) var batches: [[Write]] = []
    private(set) var listenCount = 0
    private(set) var invalidations = 0
    private var listening: Stream?
    private var writing: Stream?
    private var tokens: UInt8 = 0

    var isListening: Bool { listening != nil }
    var isWriting: Bool { writing != nil }

    // MARK: The client's side

    func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
        let stream = Stream(self, hear: receive)
        listening = stream
        targets = [:]
        listenCount += 1
        return stream
    }

    func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
        let stream = Stream(self, answer: receive)
        writing = stream
        batches = []
        return stream
    }

    func invalidateCredentials() { invalidations += 1 }

    func takeRequests() -> [String] {
        defer { requests = [] }
        return requests
    }

    // MARK: The Listen stream

    func send(_ response: ListenResponse) { listening?.hear?(.response(response)) }

    func change(
        _ kind: TargetChange.Kind, _ targets: TargetID..., because cause: FirestoreError? = nil, token: String = "", at version: Int64? = nil
    ) {
        send(
            .targetChange(
                TargetChange(
                    kind, targets: targets, cause: cause, resumeToken: ByteSlice([UInt8](token.utf8)),
                    readTime: version.map { DocumentVersion(microseconds: $0) })))
    }

    /// Reports states of documents: found ones enter the target, missing ones leave it.
    func tell(_ documents: RemoteDocument..., to target: TargetID) {
        for remote in documents {
            if let document = remote.document {
                send(.documentChange(EngineFixture.database, document, targets: [target], removedFrom: []))
            } else {
                send(.documentDelete(EngineFixture.database, remote.key, removedFrom: [target], readTime: remote.version))
            }
        }
    }

    /// A global snapshot.
    func snapshot(at version: Int64) { change(.noChange, at: version) }

    /// The complete state of a target, and a global snapshot.
    func complete(_ target: TargetID, _ documents: RemoteDocument..., at version: Int64) {
        for document in documents { tell(document, to: target) }
        change(.current, target, token: "t\(version)", at: version)
        snapshot(at: version)
    }

    func endListen(_ code: FirestoreError.Code = .unavailable) {
        let stream = listening
        listening = nil
        targets = [:]
        stream?.hear?(.ended(FirestoreError(code, "the Listen stream broke")))
    }

    // MARK: The Write stream

    /// Answers the oldest batch: every write has this version, and these results of transforms.
    func acknowledge(at version: Int64, results: [[Value]] = []) {
        guard !batches.isEmpty else { return }
        let time = DocumentVersion(microseconds: version)
        let outcome = batches.removeFirst().enumerated().map { place, _ in
            WriteResult(updateTime: time, transformResults: place < results.count ? results[place] : [])
        }
        writing?.answer?(.response(WriteResponse(streamID: "", streamToken: nextToken(), results: outcome, commitTime: time)))
    }

    func answerHandshake() { writing?.answer?(.response(WriteResponse(streamID: "", streamToken: nextToken()))) }

    func endWrite(_ code: FirestoreError.Code) {
        let stream = writing
        writing = nil
        batches = []
        stream?.answer?(.ended(FirestoreError(code, "the Write stream broke")))
    }

    private func nextToken() -> ByteSlice {
        tokens &+= 1
        return ByteSlice([tokens])
    }

    // MARK: Streams

    /// `@unchecked Sendable`: as its server.
    private final class Stream: ListenLink, WriteLink, @unchecked Sendable {
        private unowned let server: ScriptedServer
        let hear: ((ListenStreamEvent) -> Void)?
        let answer: ((WriteStreamEvent) -> Void)?
        var hasHandshake = false

        init(
            _ server: ScriptedServer, hear: ((ListenStreamEvent) -> Void)? = nil, answer: ((WriteStreamEvent) -> Void)? = nil
        ) {
            self.server = server
            self.hear = hear
            self.answer = answer
        }

        func send(_ request: ListenRequest) { server.take(request, from: self) }
        func send(_ request: WriteRequest) { server.take(request, from: self) }

        func close() {
            if server.listening === self {
                server.listening = nil
                server.targets = [:]
            }
            if server.writing === self {
                server.writing = nil
                server.batches = []
            }
        }
    }

    private func take(_ request: ListenRequest, from stream: Stream) {
        guard listening === stream else { return }
        switch request.change {
        case .remove(let id):
            requests.append("-\(id)")
            targets[id] = nil
            if answersTargets { change(.remove, id) }
        case .add(let add):
            var line = "+\(add.targetID)"
            if case .resumeToken(let token) = add.start { line += " from " + String(decoding: token.array, as: UTF8.self) }
            if let label = request.labels.first { line += " " + label.value }
            requests.append(line)
            targets[add.targetID] = try? add.target.get()
            if answersTargets { change(.add, add.targetID) }
        }
    }

    private func take(_ request: WriteRequest, from stream: Stream) {
        guard writing === stream else { return }
        guard stream.hasHandshake else {
            stream.hasHandshake = true
            handshakes.append(request)
            if answersHandshakes { answerHandshake() }
            return
        }
        if !request.writes.isEmpty { batches.append(request.writes) }
    }
}
