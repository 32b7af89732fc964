// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

@testable import FirestoreEngine

/// One connection of a client that resumes its sequence.
struct SequenceConnection {
    let engine: Engine
    let sequence: WriteSequence
    var caller: RequestContext.Caller = .user(id: "ada", claims: FieldMap())

    init(_ engine: Engine, _ id: String = "hearth-s", caller: RequestContext.Caller = .user(id: "ada", claims: FieldMap())) {
        self.engine = engine
        self.caller = caller
        sequence = WriteSequence(streamID: id)
    }

    private func submit(_ writes: [Write], _ number: Int64, _ step: SequenceRecord.Step) async -> Result<CommitResponse, FirestoreError> {
        await withCheckedContinuation { continuation in
            submit(writes, number, step) { continuation.resume(returning: $0) }
        }
    }

    func submit(
        _ writes: [Write], _ number: Int64, _ step: SequenceRecord.Step,
        _ completion: @escaping @Sendable (Result<CommitResponse, FirestoreError>) -> Void
    ) {
        let record = SequenceRecord(owner: SequenceOwner(caller), step: step)
        engine.submit(
            writes, options: CommitOptions(place: SequencePlace(sequence, number: number, record: record)),
            context: RequestContext(caller: caller), completion: completion)
    }

    func begin() async throws(FirestoreError) { _ = try await submit([], 0, .begin).get() }

    func resume(after number: Int64) async throws(FirestoreError) { _ = try await submit([], number, .resume).get() }

    @discardableResult
    func commit(
        _ number: Int64, _ writes: Write..., digest: UInt64? = nil, confirmed: Int64 = 0
    ) async throws(FirestoreError) -> CommitResponse {
        try await submit(writes, number, .commit(digest: digest ?? UInt64(number), confirmed: confirmed)).get()
    }
}
