// SPDX-License-Identifier: Apache-2.0
#if Remote
    import FirestoreCore
    import FirestoreRPC
    import FirestoreWire

    /// A channel through a test network. Conditions are about connections, not about what travels on them: single calls and
    /// streams of a client break together.
    final class ConditionedChannel: RPCChannel {
        private let channel: any RPCChannel
        private let conditions: NetworkConditions

        init(_ channel: any RPCChannel, _ conditions: NetworkConditions) {
            self.channel = channel
            self.conditions = conditions
        }

        func unary(
            _ path: String, _ request: [UInt8], metadata: RPCMetadata, deadline: ContinuousClock.Instant?
        ) async throws(RPCStatus) -> ByteSlice {
            let answer = SingleAnswer()
            let call = open(path, only: request, metadata: metadata, deadline: deadline, handler: answer)
            let timer = deadline.map { deadline in
                // The call of the real channel has the same deadline, but in silence there is none.
                Task {
                    try? await Task.sleep(until: deadline, clock: .continuous)
                    if !Task.isCancelled { answer.finish(.failure(RPCStatus(.deadlineExceeded, "the deadline of the call has passed"))) }
                }
            }
            defer { timer?.cancel() }
            return try await withTaskCancellationHandler {
                await answer.value()
            } onCancel: {
                call.cancel()
            }.get()
        }

        func open(
            _ path: String, metadata: RPCMetadata, deadline: ContinuousClock.Instant?, handler: any RPCClientHandler
        ) -> any RPCClientCall {
            let kind: ConditionedCall.Kind =
                if equalUTF8(path, FirestoreMethod.commit.path) {
                    .commit
                } else if equalUTF8(path, FirestoreMethod.write.path) {
                    .writes
                } else {
                    .other
                }
            let call = ConditionedCall(kind, conditions, handler)
            call.open { channel.open(path, metadata: metadata, deadline: deadline, handler: $0) }
            return call
        }

        func shutdown() async { await channel.shutdown() }
    }

    /// Waits for the one message of a call.
    private final class SingleAnswer: RPCClientHandler {
        private typealias Answer = Result<ByteSlice, RPCStatus>

        private struct State {
            var message: ByteSlice?
            var result: Answer?
            var continuation: CheckedContinuation<Answer, Never>?
        }

        private let state = Mutex(State())

        func value() async -> Result<ByteSlice, RPCStatus> {
            await withCheckedContinuation { continuation in
                let result = state.withLock { state -> Answer? in
                    if state.result == nil { state.continuation = continuation }
                    return state.result
                }
                if let result { continuation.resume(returning: result) }
            }
        }

        func finish(_ result: Result<ByteSlice, RPCStatus>) {
            let continuation = state.withLock { state -> CheckedContinuation<Answer, Never>? in
                guard state.result == nil else { return nil }
                state.result = result
                return state.continuation.take()
            }
            continuation?.resume(returning: result)
        }

        func receive(_ message: ByteSlice) { state.withLock { $0.message = message } }

        func becameWritable() {}

        func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
            if let status { return finish(.failure(status)) }
            guard let message = state.withLock({ $0.message }) else {
                return finish(.failure(RPCStatus(.internal, "the server has ended the call without an answer")))
            }
            finish(.success(message))
        }
    }
#endif
