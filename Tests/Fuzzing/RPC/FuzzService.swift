// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// Answers immediately, later or never, as the input wants.
final class FuzzService: RPCService, HTTPService {
    private struct State {
        var hanging: [any RPCUnaryCall] = []
        var chats: [FuzzHandler] = []
    }

    private let state = Mutex(State())

    func method(at path: String) -> RPCMethod? {
        switch path {
        case "/unary": .unary { calls in for call in calls { call.respond(.success(call.request.array)) } }
        case "/hang": .unary { calls in self.state.withLock { $0.hanging += calls } }
        case "/chat":
            .stream { call in
                let handler = FuzzHandler(call)
                self.state.withLock { $0.chats.append(handler) }
                return handler
            }
        default: nil
        }
    }

    func handle(_ exchange: any HTTPExchange) {
        exchange.begin(status: 200, headers: RPCMetadata())
        exchange.write(exchange.request.body.array)
        exchange.end()
    }

    /// Something a handler may do at any time.
    func act(_ choice: UInt8) {
        let (hanging, chat) = state.withLock { state in (state.hanging, state.chats.isEmpty ? nil : state.chats[Int(choice >> 3) % state.chats.count]) }
        switch choice & 7 {
        case 0: for call in hanging { call.respond(.success([1, 2, 3])) }
        case 1: for call in hanging { call.respond(.failure(RPCStatus(.aborted, "no"))) }
        case 2: chat?.call.send([UInt8](repeating: 7, count: Int(choice)))
        case 3: chat?.call.finish(nil)
        case 4: chat?.call.finish(RPCStatus(.internal, "ü"))
        case 5: chat?.call.setReading(false)
        case 6: chat?.call.setReading(true)
        default: for call in hanging { call.onCancel {} }
        }
    }

    /// Releases the calls, which hold the connection, which holds this.
    func forget() { state.withLock { $0 = State() } }

    /// Whether every handler was notified of its end once.
    var isBalanced: Bool { state.withLock { $0.chats.allSatisfy { $0.ends == 1 } } }
}

final class FuzzHandler: RPCStreamHandler {
    let call: any RPCStreamCall
    private let state = Mutex(0)

    init(_ call: any RPCStreamCall) { self.call = call }

    var ends: Int { state.withLock { $0 } }

    func receive(_ message: ByteSlice) {
        precondition(ends == 0, "a message after the end")
        if message.count % 5 == 4 { call.setReading(false) }
        call.send(message.array)
    }

    func halfClosed() { precondition(ends == 0, "half-closed after the end") }
    func becameWritable() { call.setReading(true) }
    func ended(_ status: RPCStatus?) { state.withLock { $0 += 1 } }
    func drain() { call.finish(RPCStatus(.unavailable, "draining")) }
}
