// SPDX-License-Identifier: Apache-2.0
import NIOCore
import NIOHPACK

@testable import FirestoreRPC

/// The framing of one side, with what it says in words.
struct FramingBench {
    var framing: HTTP2Framing
    var reader = FrameReader()
    var now = NIODeadline.uptimeNanoseconds(1_000_000_000)

    init(_ role: HTTP2Framing.Role = .server, limits: RPCLimits = RPCLimits(), greeted: Bool = true) {
        framing = HTTP2Framing(role, limits: limits)
        framing.start()
        guard greeted else { return }
        _ = output()
        if role == .server { framing.receive(Frames.preface) }
        _ = receive(Frames.settings())
        _ = receive(Frames.settings(ack: true))
        _ = output()
    }

    /// What is confirmed once the output is written.
    var confirmed: [(stream: StreamID, bytes: Int)] = []

    mutating func output() -> [String] {
        guard let (bytes, confirmations) = framing.output.take() else { return [] }
        confirmed += confirmations
        return reader.lines(bytes)
    }

    mutating func receive(_ frames: ByteBuffer...) -> [String] {
        for frame in frames { framing.receive(frame) }
        return events()
    }

    mutating func events() -> [String] {
        var lines: [String] = []
        while let event = framing.next(at: now) { lines.append(Self.text(event)) }
        return lines
    }

    private static func text(_ event: HTTP2Framing.Event) -> String {
        switch event {
        case .headers(let id, let fields, let end): "headers \(id) \(fields.count)\(end ? " end" : "")"
        case .data(let id, let bytes, let length, let end): "data \(id) \(bytes.readableBytes) of \(length)\(end ? " end" : "")"
        case .reset(let id, let code): "reset \(id) \(code)"
        case .closed(let id): "closed \(id)"
        case .goAway(let last): "go away after \(last)"
        case .pong(let data): "pong \(data)"
        case .failed(let error): "failed: \(error.code)"
        }
    }
}
