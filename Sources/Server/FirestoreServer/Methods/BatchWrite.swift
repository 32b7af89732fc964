// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreRPC
import FirestoreRules
import FirestoreSemantics
import FirestoreWire

extension MethodContext {
    /// BatchWrite: each write is applied separately, all in one group commit, each with a separate result (WR-24, WR-25). Where rules
    /// judge, it is for administrators (SR-22).
    var batchWrite: RPCMethod {
        prompt { (request: BatchWriteRequest, context, service, done) throws(FirestoreError) in
            try Self.check(request, service, context)
            BatchResults.submit(request.writes, to: service, context) { results in
                count(request.writes, results)
                done(.success(BatchWriteResponse(results: results)))
            }
        }
    }

    private func count(_ writes: [Write], _ results: [Result<WriteResult, FirestoreError>]) {
        figures?.wrote(zip(writes, results).compactMap { write, result in if case .success = result { write } else { nil } })
    }

    private static func check(
        _ request: BatchWriteRequest, _ service: any JudgedService, _ context: RequestContext
    ) throws(FirestoreError) {
        guard !service.judges(context) else {
            throw FirestoreError(.permissionDenied, "only administrators write batches whose writes are independent; use Commit")
        }
        var keys = Set<DocumentKey>()
        for write in request.writes where !keys.insert(write.key).inserted {
            throw .invalidArgument("a batch writes each document at most once", at: write.key.path)
        }
        // Writes that are invalid in any state fail the whole request, as in the emulator (WR-26).
        try WriteCheck.check(request.writes)
    }
}

/// Collects the results of a batch's writes, in order.
private final class BatchResults: Sendable {
    typealias Outcome = Result<WriteResult, FirestoreError>

    private struct State {
        var results: [Outcome?]
        var open: Int
    }

    private let state: Mutex<State>
    private let done: @Sendable ([Outcome]) -> Void

    private init(count: Int, done: @escaping @Sendable ([Outcome]) -> Void) {
        state = Mutex(State(results: Array(repeating: nil, count: count), open: count))
        self.done = done
    }

    static func submit(
        _ writes: [Write], to service: any DocumentService, _ context: RequestContext, done: @escaping @Sendable ([Outcome]) -> Void
    ) {
        guard !writes.isEmpty else { return done([]) }
        let results = BatchResults(count: writes.count, done: done)
        for (index, write) in writes.enumerated() {
            service.submit([write], context: context) { results.set($0, at: index) }
        }
    }

    private func set(_ result: Result<CommitResponse, FirestoreError>, at index: Int) {
        let all = state.withLock { state -> [Outcome]? in
            state.results[index] = result.map { $0.results.first ?? WriteResult(updateTime: nil) }
            state.open -= 1
            return state.open == 0 ? state.results.compactMap { $0 } : nil
        }
        if let all { done(all) }
    }
}
