// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// A service that echoes what it receives, for every kind of call.
struct EchoService: RPCService {
    /// What its calls went through, in order.
    let journal = Journal()

    func method(at path: String) -> RPCMethod? {
        let journal = journal
        switch path {
        case "/test.Echo/Unary":
            return .unary { calls in
                journal.note("batch \(calls.count)")
                for call in calls { call.respond(.success(call.request.array)) }
            }
        case "/test.Echo/Fail":
            return .unary { calls in
                for call in calls {
                    call.respond(.failure(RPCStatus(.failedPrecondition, "nö: 100 %\n", details: ByteSlice(Array("details".utf8)))))
                }
            }
        case "/test.Echo/Hang":
            return .unary { calls in
                for call in calls { call.onCancel { journal.note("hang cancelled") } }
                journal.keep(calls)
            }
        case "/test.Echo/Metadata":
            return .unary { calls in
                for call in calls {
                    let text = (call.info.metadata["x-test"] ?? "-") + " " + (call.info.deadline == nil ? "-" : "deadline")
                    call.respond(.success(Array(text.utf8)))
                }
            }
        case "/test.Echo/Known":
            return .unary { calls in
                for call in calls {
                    let text = String(decoding: call.request.array, as: UTF8.self)[...]
                    journal.note(call.info.memory?.finding(about: text) === journal ? "known" : "new")
                    call.info.memory?.keep(journal, about: text)
                    call.respond(.success([]))
                }
            }
        case "/test.Echo/Chat":
            return .stream { call in
                let handler = ChatHandler(call, journal: journal)
                journal.keep(handler)
                return handler
            }
        case "/test.Echo/Many": return .stream { ManyHandler($0, journal: journal) }
        case "/test.Echo/Listen": return .stream { ListenHandler($0, journal: journal) }
        default: return nil
        }
    }
}

/// What happened, and calls that are held back.
final class Journal: Sendable {
    private let state = Mutex<(lines: [String], calls: [any RPCUnaryCall], waiters: [(String, CheckedContinuation<Void, Never>)])>(([], [], []))

    var lines: [String] { state.withLock { $0.lines } }
    var calls: [any RPCUnaryCall] { state.withLock { $0.calls } }
    var handlers: [ChatHandler] { chats.withLock { $0 } }
    private let chats = Mutex<[ChatHandler]>([])

    /// Releases what it holds.
    func forget() {
        chats.withLock { $0 = [] }
        state.withLock { $0.calls = [] }
    }

    func keep(_ handler: ChatHandler) { chats.withLock { $0.append(handler) } }

    func keep(_ calls: [any RPCUnaryCall]) {
        state.withLock { $0.calls += calls }
        note("kept \(calls.count)")
    }

    func note(_ line: String) {
        let ready = state.withLock { state in
            state.lines.append(line)
            let ready = state.waiters.filter { $0.0 == line }.map(\.1)
            state.waiters.removeAll { $0.0 == line }
            return ready
        }
        ready.forEach { $0.resume() }
    }

    /// Returns once the line has been noted.
    func wait(for line: String) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.lines.contains(line) { return true }
                state.waiters.append((line, continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}

/// Every message back; ends when the client has.
final class ChatHandler: RPCStreamHandler {
    let call: any RPCStreamCall
    let journal: Journal

    init(_ call: any RPCStreamCall, journal: Journal) {
        self.call = call
        self.journal = journal
    }

    func receive(_ message: ByteSlice) {
        if message.array == Array("fail".utf8) {
            call.finish(RPCStatus(.aborted, "as you wish"))
        } else {
            call.send(message.array)
        }
    }

    func halfClosed() { call.finish(nil) }
    func becameWritable() {}
    func ended(_ status: RPCStatus?) { journal.note("chat ended \(status.map { "\($0.code)" } ?? "ok")") }
    func drain() { call.finish(RPCStatus(.unavailable, "the server stops")) }
}

/// As many messages as the request says, of as many bytes, as fast as the client reads.
final class ManyHandler: RPCStreamHandler {
    let call: any RPCStreamCall
    let journal: Journal
    private let rest = Mutex<(count: Int, size: Int)>((0, 0))

    init(_ call: any RPCStreamCall, journal: Journal) {
        self.call = call
        self.journal = journal
    }

    func receive(_ message: ByteSlice) {
        let numbers = String(decoding: message.array, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
        rest.withLock { $0 = (numbers[0], numbers[1]) }
        produce()
    }

    private func produce() {
        let size = rest.withLock { $0.size }
        while call.isWritable {
            let left = rest.withLock { rest in
                rest.count -= 1
                return rest.count
            }
            guard left >= 0 else {
                call.finish(nil)
                return
            }
            call.send([UInt8](repeating: UInt8(truncatingIfNeeded: left), count: size))
        }
        journal.note("full")
    }

    func halfClosed() {}
    func becameWritable() { produce() }
    func ended(_ status: RPCStatus?) { journal.note("many ended \(status.map { "\($0.code)" } ?? "ok")") }
    func drain() {}
}

/// Says hello and stays.
final class ListenHandler: RPCStreamHandler {
    let call: any RPCStreamCall
    let journal: Journal

    init(_ call: any RPCStreamCall, journal: Journal) {
        self.call = call
        self.journal = journal
        call.send(Array("hello".utf8))
    }

    func receive(_ message: ByteSlice) {}
    func halfClosed() { journal.note("listen half-closed") }
    func becameWritable() {}
    func ended(_ status: RPCStatus?) { journal.note("listen ended \(status.map { "\($0.code)" } ?? "ok")") }
    func drain() { call.finish(RPCStatus(.unavailable, "the server stops")) }
}

/// Says what it was asked.
struct EchoHTTP: HTTPService {
    func handle(_ exchange: any HTTPExchange) {
        let request = exchange.request
        switch request.path {
        case "/pieces":
            exchange.begin(status: 200, headers: RPCMetadata([("content-type", "text/plain")]))
            for piece in ["one ", "two ", "three"] { exchange.write(Array(piece.utf8)) }
            exchange.end()
        default:
            let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
            let text = "\(request.method) \(request.path) [\(query)] \(request.body.count)"
            exchange.respond(status: 200, headers: RPCMetadata([("content-type", "text/plain")]), body: Array(text.utf8))
        }
    }
}
