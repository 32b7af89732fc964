// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import HearthBase

/// A request whose client accepts compressed answers. Large ones are compressed; small ones would not become smaller.
final class GzipExchange: HTTPExchange {
    /// An action for the underlying exchange.
    private enum Output: Sendable {
        case begin(status: Int, RPCMetadata)
        case write([UInt8])
        case end
    }

    private struct State {
        /// An answer in pieces that has not been started, because it may stay small.
        var head: (status: Int, headers: RPCMetadata)?
        var held: [UInt8] = []
        /// nil until the answer is large, and if it cannot be compressed.
        var deflater: GzipDeflater?
        var output = ActionQueue<Output>()

        mutating func write(_ bytes: [UInt8]) {
            if !bytes.isEmpty { output.append(.write(bytes)) }
        }
    }

    /// Answers of at least this many bytes are compressed.
    static let threshold = 1_024

    private let exchange: any HTTPExchange
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
        state.withLock { Self.take(piece, &$0) }
        performOutput()
    }

    private static func take(_ piece: [UInt8], _ state: inout State) {
        if let deflater = state.deflater { return state.write(deflater.deflate(piece)) }
        guard let head = state.head else { return state.write(piece) }
        state.held += piece
        guard state.held.count >= threshold else { return }
        state.head = nil
        let held = state.held
        state.held = []
        state.deflater = GzipDeflater()
        state.output.append(.begin(status: head.status, state.deflater == nil ? head.headers : compressed(head.headers)))
        state.write(state.deflater?.deflate(held) ?? held)
    }

    func end() {
        state.withLock { state in
            if let deflater = state.deflater {
                state.write(deflater.finish())
                state.deflater = nil
            } else if let head = state.head {
                state.head = nil
                state.output.append(.begin(status: head.status, head.headers))
                state.write(state.held)
                state.held = []
            }
            state.output.append(.end)
        }
        performOutput()
    }

    /// Passes on the pieces in their order.
    private func performOutput() {
        guard state.withLock({ $0.output.begin() }) else { return }
        while let output = state.withLock({ $0.output.next() }) {
            for action in output {
                switch action {
                case .begin(let status, let headers): exchange.begin(status: status, headers: headers)
                case .write(let bytes): exchange.write(bytes)
                case .end: exchange.end()
                }
            }
        }
    }

    private static func compressed(_ headers: RPCMetadata) -> RPCMetadata {
        RPCMetadata(headers.entries + [(name: "content-encoding", value: "gzip"), (name: "vary", value: "accept-encoding")])
    }

    func whenWritable() async throws(RPCStatus) { try await exchange.whenWritable() }
    func reserve(_ bytes: Int) async throws(RPCStatus) { try await exchange.reserve(bytes) }
    func giveBackReserved() { exchange.giveBackReserved() }
    func onCancel(_ body: @escaping @Sendable () -> Void) { exchange.onCancel(body) }
    var requestBody: HTTPRequestBody? { exchange.requestBody }
    func cut() { exchange.cut() }
}
