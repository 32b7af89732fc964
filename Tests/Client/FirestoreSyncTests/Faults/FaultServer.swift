// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import FirestoreWire
import TestSupport

@testable import FirestoreSync

/// A server that never fails, of one collection: documents, resumable Write streams (decision 28), targets with tokens. What it sends
/// waits until the test delivers it, and is lost when the test breaks the connections.
///
/// `@unchecked Sendable`: used on the thread of its test only, like the engine above it.
final class FaultServer: SyncTransport, @unchecked Sendable {
    static let database = DatabaseID(projectID: "demo")

    /// So that some answers do not wait for the disk.
    let writeWindow = 16
    let resumesWriteStreams = true

    private(set) var documents: [DocumentKey: Document] = [:]
    private(set) var version: Int64 = 1_000
    /// What a correct client never does.
    private(set) var violations: [String] = []

    private struct Answer {
        let digest: [UInt8]
        let response: WriteResponse
        let failure: FirestoreError?
    }

    private struct Sequence {
        var answers: [Int64: Answer] = [:]
        var last: Int64 = 0
        var confirmed: Int64 = 0
    }

    private var sequences: [String: Sequence] = [:]
    private var changes: [(version: Int64, key: DocumentKey)] = []
    private var links: [Link] = []
    private var random = SeededGenerator(seed: 13)

    // MARK: The client's side

    func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
        let link = Listening(self, receive)
        links.append(link)
        return link
    }

    func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
        let link = Writing(self, receive)
        links.append(link)
        return link
    }

    func invalidateCredentials() {}

    // MARK: The test's side

    /// Delivers what waits; returns whether there was anything.
    func deliver() -> Bool {
        let waiting = links.flatMap { link in
            defer { link.waiting = [] }
            return link.waiting
        }
        for event in waiting { event() }
        links.removeAll(where: \.isClosed)
        return !waiting.isEmpty
    }

    /// What waits is lost, and the streams end.
    func breakConnections() {
        for link in links {
            link.waiting = []
            link.end(FirestoreError(.unavailable, "the connection is lost"))
        }
    }

    /// The client is gone, with its streams.
    func forgetClient() { links = [] }

    /// Another client writes.
    func write(_ writes: Write...) {
        _ = try? commit(writes)
        announce()
    }

    // MARK: Documents

    private func commit(_ writes: [Write]) throws(FirestoreError) -> WriteResponse {
        let time = DocumentVersion(microseconds: version + 1)
        var changed = documents
        var results: [WriteResult] = []
        for write in writes {
            let applied = try WriteApplication.apply(
                write, to: changed[write.key], at: CommitTimes(commitTime: time), in: Self.database)
            changed[write.key] = applied.document
            results.append(applied.result)
        }
        documents = changed
        version += 1
        for key in Set(writes.map(\.key)) { changes.append((version, key)) }
        return WriteResponse(streamID: "", streamToken: .empty, results: results, commitTime: time)
    }

    private func announce() { for link in links { (link as? Listening)?.announce() } }

    // MARK: Streams

    /// `@unchecked Sendable`: like the server.
    class Link: @unchecked Sendable {
        let server: FaultServer
        var isClosed = false
        var waiting: [() -> Void] = []

        init(_ server: FaultServer) { self.server = server }

        func close() { isClosed = true }
        func end(_ error: FirestoreError) {}
    }

    /// `@unchecked Sendable`: like the server.
    private final class Writing: Link, WriteLink, @unchecked Sendable {
        private let receive: @Sendable (WriteStreamEvent) -> Void
        private var stream = ""
        private var number: Int64 = 0

        init(_ server: FaultServer, _ receive: @escaping @Sendable (WriteStreamEvent) -> Void) {
            self.receive = receive
            super.init(server)
        }

        override func end(_ error: FirestoreError) {
            guard !isClosed else { return }
            waiting.append { [receive] in receive(.ended(error)) }
            isClosed = true
        }

        func send(_ request: WriteRequest) {
            guard !isClosed else { return }
            if stream.isEmpty { begin(request) } else { commit(request) }
        }

        private func begin(_ request: WriteRequest) {
            if request.streamID.isEmpty {
                stream = WriteStreamResumption.makeStreamID(using: &server.random)
                server.sequences[stream] = Sequence()
            } else {
                stream = request.streamID
                guard let token = WriteStreamToken(request.streamToken, of: stream), let known = server.sequences[stream],
                    token.number >= known.confirmed, token.number <= known.last
                else { return violation("a stream is resumed where it cannot be") }
                number = token.number
            }
            answer(WriteResponse(streamID: stream, streamToken: WriteStreamToken(number: number).bytes(of: stream)))
        }

        private func commit(_ request: WriteRequest) {
            guard var sequence = server.sequences[stream], let token = WriteStreamToken(request.streamToken, of: stream) else {
                return violation("a batch without a token")
            }
            number += 1
            sequence.confirmed = max(sequence.confirmed, token.number)
            let digest = CommitRequest(database: FaultServer.database, writes: request.writes).encoded()
            if let known = sequence.answers[number] {
                if known.digest != digest { violation("another batch has the number \(number)") }
            } else if number <= sequence.last {
                violation("an answer is asked for that the client had confirmed")
            } else {
                sequence.last = number
                var failure: FirestoreError?
                var response = WriteResponse(streamID: "", streamToken: .empty)
                do throws(FirestoreError) { response = try server.commit(request.writes) } catch { failure = error }
                response.streamToken = WriteStreamToken(number: number).bytes(of: stream)
                sequence.answers[number] = Answer(digest: digest, response: response, failure: failure)
            }
            sequence.answers = sequence.answers.filter { $0.key > sequence.confirmed }
            server.sequences[stream] = sequence
            guard let known = sequence.answers[number] else { return }
            answer(known.response)
            if let failure = known.failure { end(failure) }
            server.announce()
        }

        private func answer(_ response: WriteResponse) { waiting.append { [receive] in receive(.response(response)) } }

        private func violation(_ text: String) { server.violations.append(text) }
    }

    /// `@unchecked Sendable`: like the server.
    private final class Listening: Link, ListenLink, @unchecked Sendable {
        private let receive: @Sendable (ListenStreamEvent) -> Void
        private var targets: [Int32: (target: ListenTargetRequest.Target, since: Int64)] = [:]

        init(_ server: FaultServer, _ receive: @escaping @Sendable (ListenStreamEvent) -> Void) {
            self.receive = receive
            super.init(server)
        }

        override func end(_ error: FirestoreError) {
            guard !isClosed else { return }
            waiting.append { [receive] in receive(.ended(error)) }
            isClosed = true
        }

        func send(_ request: ListenRequest) {
            switch request.change {
            case .add(let request):
                guard case .success(let target) = request.target else { return }
                var since: Int64 = 0
                if case .resumeToken(let token) = request.start { since = Int64(String(decoding: token.array, as: UTF8.self)) ?? 0 }
                targets[request.targetID] = (target, since)
                answer(.targetChange(TargetChange(.add, targets: [request.targetID])))
                tell(request.targetID)
                answer(.targetChange(TargetChange(.current, targets: [request.targetID], resumeToken: token, readTime: time)))
                answer(.targetChange(TargetChange(.noChange, resumeToken: token, readTime: time)))
            case .remove(let id):
                targets[id] = nil
                answer(.targetChange(TargetChange(.remove, targets: [id])))
            }
        }

        func announce() {
            guard !isClosed, !targets.isEmpty else { return }
            for id in targets.keys.sorted() { tell(id) }
            answer(.targetChange(TargetChange(.noChange, resumeToken: token, readTime: time)))
        }

        private var time: DocumentVersion { DocumentVersion(microseconds: server.version) }
        private var token: ByteSlice { ByteSlice([UInt8]("\(server.version)".utf8)) }

        /// What is new for a target.
        private func tell(_ id: Int32) {
            guard let (target, since) = targets[id] else { return }
            let changed =
                switch target {
                case .documents(let keys): Set(keys)
                case .query: Set(server.changes.lazy.filter { $0.version > since }.map(\.key))
                }
            targets[id]?.since = server.version
            for key in changed.sorted() {
                if let document = server.documents[key] {
                    answer(.documentChange(FaultServer.database, document, targets: [id], removedFrom: []))
                } else {
                    answer(.documentDelete(FaultServer.database, key, removedFrom: [id], readTime: time))
                }
            }
        }

        private func answer(_ response: ListenResponse) { waiting.append { [receive] in receive(.response(response)) } }
    }
}
