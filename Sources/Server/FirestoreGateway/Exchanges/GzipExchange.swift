// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// A request whose client accepts compressed answers. Large ones are compressed; small ones would not become smaller.
final class GzipExchange: HTTPExchange {
    private struct State {
        /// An answer in pieces that has not been started, because it may stay small.
        var head: (status: Int, headers: RPCMetadata)?
        var held: [UInt8] = []
        /// nil until the answer is large, and if it cannot be compressed.
        var deflater: GzipDeflater?
    }

    /// Answers of at least this many bytes are compressed.
    static let threshold = 1_024

    private let exchange: any HTTPExchange
    /// Held while pieces are passed on, so that they stay in order.
    private let state = Mutex(State())

    init(_ exchange: any HTTPExchange) { self.exchange = exchange }

    /// Whether `accept-encoding` names gzip with a weight other than 0.
    static func isWanted(by request: HTTPRequest) -> Bool {
        var isWanted = false
        for (name, value) in request.headers.entries where name.utf8.elementsEqual("accept-encoding".utf8) {
            for part in value.split(separator: ",") {
                let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
                guard let coding = words.first, ["gzip", "x-gzip", "*"].contains(coding) else { continue }
                let weight = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
                if coding != "*" { return weight > 0 }
                isWanted = weight > 0
            }
        }
        return isWanted
    }

    var request: HTTPRequest { exchange.request }

    func respond(status: Int, headers: RPCMetadata, body: [UInt8]) {
        guard body.count >= Self.threshold, let compressed = GzipDeflater.compress(body) else {
            return exchange.respond(status: status, headers: headers, body: body)
        }
        exchange.respond(status: status, headers: Self.compressed(headers), body: compressed)
    }

    func begin(status: Int, headers: RPCMetadata) { state.withLock { $0.head = (status, headers) } }

    func write(_ piece: [UInt8]) {
        state.withLock { state in
            if let deflater = state.deflater { return send(deflater.deflate(piece)) }
            guard let head = state.head else { return exchange.write(piece) }
            state.held += piece
            guard state.held.count >= Self.threshold else { return }
            state.head = nil
            let held = state.held
            state.held = []
            state.deflater = GzipDeflater()
            guard let deflater = state.deflater else {
                exchange.begin(status: head.status, headers: head.headers)
                return exchange.write(held)
            }
            exchange.begin(status: head.status, headers: Self.compressed(head.headers))
            send(deflater.deflate(held))
        }
    }

    func end() {
        state.withLock { state in
            if let deflater = state.deflater {
                send(deflater.finish())
                state.deflater = nil
            } else if let head = state.head {
                state.head = nil
                exchange.begin(status: head.status, headers: head.headers)
                if !state.held.isEmpty { exchange.write(state.held) }
                state.held = []
            }
        }
        exchange.end()
    }

    private func send(_ bytes: [UInt8]) {
        if !bytes.isEmpty { exchange.write(bytes) }
    }

    private static func compressed(_ headers: RPCMetadata) -> RPCMetadata {
        RPCMetadata(headers.entries + [(name: "content-encoding", value: "gzip"), (name: "vary", value: "accept-encoding")])
    }

    func whenWritable() async throws(RPCStatus) { try await exchange.whenWritable() }
    func onCancel(_ body: @escaping @Sendable () -> Void) { exchange.onCancel(body) }
    var requestBody: HTTPRequestBody? { exchange.requestBody }
    func cut() { exchange.cut() }
}
