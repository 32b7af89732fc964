// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOHPACK

@testable import FirestoreRPC

/// Writes down what a core says, one line each; windows and flushes only on demand.
final class RecordingPort: ConnectionPort {
    var lines: [String] = []
    var windows: [StreamID: Int] = [:]
    var flushes = 0
    /// What asked to be confirmed and has not been.
    var unconfirmed: [(stream: StreamID, bytes: Int)] = []
    var isClosed = false

    func headers(_ stream: StreamID, _ headers: OutboundHeaders, end: StreamEnd) {
        switch headers {
        case .grpcResponse: lines.append("headers \(stream)\(text(end))")
        case .fields(let fields): lines.append("headers \(stream) \(fields.first(name: ":status") ?? "?")\(text(end))")
        }
    }

    func data(_ stream: StreamID, _ bytes: ByteBuffer, end: StreamEnd, confirms: Int) {
        lines.append("data \(stream) \(bytes.readableBytes)\(text(end))")
        if confirms > 0 { unconfirmed.append((stream, confirms)) }
    }

    func trailers(_ stream: StreamID, _ status: RPCStatus?, alone: Bool, requestEnded: Bool) {
        let code = status.map { "\($0.code)" } ?? "ok"
        lines.append("trailers \(stream) \(code)\(alone ? " alone" : "")\(requestEnded ? "" : " stop")")
    }

    func reset(_ stream: StreamID, _ code: HTTP2ErrorCode) { lines.append("reset \(stream) \(code.rawValue)") }
    func windowUpdate(_ stream: StreamID, _ increment: Int) { windows[stream, default: 0] += increment }
    func flush() { flushes += 1 }
    func close() { isClosed = true }

    private func text(_ end: StreamEnd) -> String {
        switch end {
        case .no: ""
        case .yes: " end"
        case .yesAndStop: " end stop"
        }
    }
}
