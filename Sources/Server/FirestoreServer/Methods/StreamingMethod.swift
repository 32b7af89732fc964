// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

extension MethodContext {
    /// A method with one request message and any number of answers.
    func streaming<Request: WireMessage>(_ body: @escaping StreamingBody<Request>) -> RPCMethod {
        .stream { call in
            SingleRequestHandler(call) { message, handler in start(call, message, handler, body) }
        }
    }

    /// Answers a call in a separate task.
    func start<Request: WireMessage>(
        _ call: any RPCStreamCall, _ message: ByteSlice, _ handler: SingleRequestHandler, _ body: @escaping StreamingBody<Request>
    ) {
        answer(call, handler) { () throws(FirestoreError) in
            let context = try await identification.identify(call.info).context
            try RequestSize.check(message)
            try await body(try Request(decoding: message), context, ResponseStream(call: call))
        }
    }

    private static var firstAnswers: Int { 1 << 20 }

    /// A read that waits for its turn behind other transactions holds nothing meanwhile: their calls may come over the same connection.
    private struct StreamRoom: CallRoom {
        let call: any RPCStreamCall

        func giveBack() { call.giveBackReserved() }

        func takeAgain() async { try? await call.reserve(firstAnswers) }
    }

    private static func run(
        _ body: @escaping @Sendable () async throws(FirestoreError) -> Void, for call: any RPCStreamCall
    ) async throws(FirestoreError) {
        let result: Result<Void, FirestoreError> = await CurrentCallRoom.$value.withValue(StreamRoom(call: call)) {
            do throws(FirestoreError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        try result.get()
    }

    /// Runs the body in a separate task, which ends with the call, and the call with it.
    func answer(
        _ call: any RPCStreamCall, _ handler: SingleRequestHandler,
        _ body: @escaping @Sendable () async throws(FirestoreError) -> Void
    ) {
        do throws(FirestoreError) {
            try admission.enter()
        } catch {
            return call.finish(RPCStatus(error))
        }
        let task = Task {
            defer { admission.leave() }
            do throws(FirestoreError) {
                // Not before what it reads can be held.
                do throws(RPCStatus) { try await call.reserve(Self.firstAnswers) } catch { throw FirestoreError(error) }
                if Task.isCancelled { throw FirestoreError(.cancelled, "the call was cancelled before it was begun") }
                try await Self.run(body, for: call)
                call.finish(nil)
            } catch {
                call.finish(RPCStatus(error))
            }
        }
        handler.attach(task)
    }
}

/// Sends answers no faster than they are written.
struct ResponseStream: Sendable {
    let call: any RPCStreamCall

    func send(_ message: some WireMessage) async throws(FirestoreError) {
        call.send(message.encoded())
        guard !call.isWritable else { return }
        do throws(RPCStatus) {
            try await call.whenWritable()
        } catch {
            throw FirestoreError(error)
        }
    }
}
