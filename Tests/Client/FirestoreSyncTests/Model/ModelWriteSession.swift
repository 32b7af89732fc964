// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport

/// The server's end of one Write stream: an ordinary one, or one that can be resumed.
final class ModelWriteSession {
    private let server: ModelServer
    private var hasHandshake = false
    /// The stream, if it can be resumed, and the number of the next batch.
    private var stream: (id: String, next: Int)?
    private(set) var hasEnded = false

    init(_ server: ModelServer) { self.server = server }

    func take(_ request: WriteRequest, _ random: inout SeededGenerator) -> [WriteStreamEvent] {
        guard !hasEnded else { return [] }
        guard hasHandshake else {
            hasHandshake = true
            return handshake(request, &random)
        }
        if request.writes.isEmpty { return [] }
        guard let (id, next) = stream else {
            switch commit(request.writes) {
            case .success(let response): return [.response(answer(response, "", ByteSlice([1])))]
            case .failure(let error): return end(error)
            }
        }
        stream = (id, next + 1)
        let outcome: Result<CommitResponse, FirestoreError>
        let batch = WriteRequest(database: nil, writes: request.writes).encoded()
        let known = server.answers[id] ?? []
        if next <= known.count {
            if known[next - 1].batch != batch { server.violations.append("batch \(next) of \(id)| was replaced by another|") }
            outcome = known[next - 1].outcome
        } else if next == known.count + 1 {
            outcome = commit(request.writes)
            server.answers[id, default: []].append(ModelServer.Answer(batch: batch, outcome: outcome))
        } else {
            return end(FirestoreError(.unavailable, "an earlier connection has not come so far"))
        }
        let token = WriteStreamToken(number: Int64(next)).bytes(of: id)
        switch outcome {
        case .success(let response): return [.response(answer(response, id, token))]
        case .failure(let error):
            return [.response(WriteResponse(streamID: id, streamToken: token))] + end(error)
        }
    }

    private func handshake(_ request: WriteRequest, _ random: inout SeededGenerator) -> [WriteStreamEvent] {
        if request.database != ModelWorld.database { server.violations.append("the handshake lacks the database") }
        if !request.writes.isEmpty { server.violations.append("the handshake has writes") }
        guard server.authority == .resumable, WriteStreamResumption.isWanted(by: request) else {
            return [.response(WriteResponse(streamID: "1", streamToken: ByteSlice([0])))]
        }
        let opened = (id: request.streamID, token: WriteStreamToken(request.streamToken, of: request.streamID))
        var number: Int64 = 0
        var id = WriteStreamResumption.makeStreamID(using: &random)
        if !opened.id.isEmpty {
            guard let token = opened.token, let known = server.answers[opened.id], token.number <= known.count else {
                server.violations.append("a Write stream was resumed that was not begun: \(opened.id)")
                return end(FirestoreError(.unavailable, "unknown"))
            }
            (id, number) = (opened.id, token.number)
        } else {
            server.answers[id] = []
        }
        stream = (id, Int(number) + 1)
        return [.response(WriteResponse(streamID: id, streamToken: WriteStreamToken(number: number).bytes(of: id)))]
    }

    private func commit(_ writes: [Write]) -> Result<CommitResponse, FirestoreError> {
        do throws(FirestoreError) { return .success(try server.commit(writes)) } catch { return .failure(error) }
    }

    private func answer(_ response: CommitResponse, _ id: String, _ token: ByteSlice) -> WriteResponse {
        WriteResponse(streamID: id, streamToken: token, results: response.results, commitTime: response.commitTime)
    }

    private func end(_ error: FirestoreError) -> [WriteStreamEvent] {
        hasEnded = true
        return [.ended(error)]
    }
}
