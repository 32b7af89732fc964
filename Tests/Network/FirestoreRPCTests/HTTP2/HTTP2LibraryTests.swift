// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHPACK
import NIOHTTP2
import TestSupport
import Testing

@testable import FirestoreRPC

/// The framing and that of swift-nio-http2 exchange random messages through small windows: everything arrives, in order, and no stream
/// is left.
struct HTTP2LibraryTests {
    /// What a side has received of a stream.
    private struct Received: Equatable {
        var bytes: [UInt8] = []
        var fields: [[String]] = []
        var isEnded = false
        var code: Int?
    }

    /// Our side: it drives the framing as the handler does, without a core.
    private struct Ours {
        var framing: HTTP2Framing
        var received: [StreamID: Received] = [:]
        var closed: Set<StreamID> = []
        var failure: HTTP2ConnectionError?

        mutating func receive(_ bytes: ByteBuffer) {
            framing.receive(bytes)
            settle()
        }

        mutating func settle() {
            while let event = framing.next(at: .uptimeNanoseconds(0)) {
                switch event {
                case .headers(let id, let fields, let end):
                    received[id, default: Received()].fields.append(fields.map { "\($0.name)=\($0.value)" })
                    received[id]?.isEnded = end
                case .data(let id, let bytes, let length, let end):
                    received[id, default: Received()].bytes += bytes.readableBytesView
                    if end { received[id]?.isEnded = true }
                    if length > 0 {
                        framing.windowUpdate(0, length)
                        if !end { framing.windowUpdate(id, length) }
                    }
                case .reset(let id, let code): received[id, default: Received()].code = Int(code.rawValue)
                case .closed(let id): closed.insert(id)
                case .failed(let error): failure = error
                case .goAway, .pong: break
                }
            }
        }
    }

    /// The library's side: a handler behind its framing.
    private final class Theirs: ChannelInboundHandler {
        typealias InboundIn = HTTP2Frame
        typealias OutboundOut = HTTP2Frame
        var received: [StreamID: Received] = [:]
        var errors: [String] = []

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let frame = unwrapInboundIn(data)
            let id = StreamID(frame.streamID)
            switch frame.payload {
            case .headers(let content):
                received[id, default: Received()].fields.append(content.headers.map { "\($0.name)=\($0.value)" })
                received[id]?.isEnded = content.endStream
            case .data(let content):
                guard case .byteBuffer(let bytes) = content.data else { return }
                received[id, default: Received()].bytes += bytes.readableBytesView
                if content.endStream { received[id]?.isEnded = true }
                guard bytes.readableBytes > 0 else { return }
                for id in content.endStream ? [0] : [0, id] {
                    let update = HTTP2Frame.FramePayload.windowUpdate(windowSizeIncrement: bytes.readableBytes)
                    context.write(wrapOutboundOut(HTTP2Frame(streamID: HTTP2StreamID(id), payload: update)), promise: nil)
                }
            case .rstStream(let code): received[id, default: Received()].code = code.networkCode
            default: break
            }
        }

        func channelReadComplete(context: ChannelHandlerContext) { context.flush() }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { errors.append("\(error)") }
    }

    @Test(arguments: [HTTP2Framing.Role.server, .client], 0..<20)
    func `random messages arrive`(_ role: HTTP2Framing.Role, _ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let (window, all) = (Int.random(in: 1...40_000, using: &random), Int.random(in: 65_535...100_000, using: &random))
        var ours = Ours(framing: HTTP2Framing(role, limits: RPCLimits(streamWindow: window, connectionWindow: all)))
        ours.framing.start()

        let channel = EmbeddedChannel()
        var settings = [HTTP2Setting(parameter: .initialWindowSize, value: Int.random(in: 1...40_000, using: &random))]
        if role == .server { settings.append(HTTP2Setting(parameter: .enablePush, value: 0)) }
        if role == .client { settings.append(HTTP2Setting(parameter: .maxConcurrentStreams, value: Int.random(in: 1...4, using: &random))) }
        if seed % 3 == 0 { settings.append(HTTP2Setting(parameter: .headerTableSize, value: 64)) }
        let theirs = Theirs()
        try channel.pipeline.syncOperations.addHandlers(
            NIOHTTP2Handler(mode: role == .server ? .client : .server, initialSettings: settings), theirs)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()

        /// Carries bytes between the two, in pieces, until both are silent.
        func carry() throws {
            var isQuiet = false
            while !isQuiet {
                isQuiet = true
                while var bytes = try channel.readOutbound(as: ByteBuffer.self) {
                    isQuiet = false
                    while let piece = bytes.readSlice(length: min(bytes.readableBytes, Int.random(in: 1...5000, using: &random))),
                        piece.readableBytes > 0
                    { ours.receive(piece) }
                }
                if var bytes = ours.framing.output.take()?.bytes {
                    isQuiet = false
                    while let piece = bytes.readSlice(length: min(bytes.readableBytes, Int.random(in: 1...5000, using: &random))),
                        piece.readableBytes > 0
                    { try channel.writeInbound(piece) }
                }
                ours.settle()
            }
        }
        try carry()

        func body() -> [UInt8] {
            let largest = [0, 10, 3000, 70_000].randomElement(using: &random) ?? 0
            return (0..<Int.random(in: 0...largest, using: &random)).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ largest) }
        }
        func send(_ id: StreamID, fromUs: Bool, _ fields: HPACKHeaders, _ body: [UInt8], trailers: HPACKHeaders?) {
            let pieces = stride(from: 0, to: body.count, by: 9000).map { ByteBuffer(bytes: body[$0..<min($0 + 9000, body.count)]) }
            if fromUs {
                ours.framing.headers(id, fields, end: .no)
                for piece in pieces { ours.framing.data(id, piece, end: .no, confirms: piece.readableBytes) }
                if let trailers { ours.framing.headers(id, trailers, end: .yes) } else { ours.framing.data(id, ByteBuffer(), end: .yes, confirms: 0) }
                ours.settle()
                return
            }
            func write(_ payload: HTTP2Frame.FramePayload) { channel.write(HTTP2Frame(streamID: HTTP2StreamID(id), payload: payload), promise: nil) }
            write(.headers(.init(headers: fields)))
            for piece in pieces { write(.data(.init(data: .byteBuffer(piece)))) }
            if let trailers {
                write(.headers(.init(headers: trailers, endStream: true)))
            } else {
                write(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)))
            }
            channel.flush()
        }

        var (requests, answers) = ([StreamID: Received](), [StreamID: Received]())
        for number in 0..<12 {
            let id = 2 * number + 1
            let fields: HPACKHeaders = [":method": "POST", ":scheme": "http", ":path": "/\(number)", "x-number": "\(number % 5)"]
            let bytes = body()
            requests[id] = Received(bytes: bytes, fields: [fields.map { "\($0.name)=\($0.value)" }], isEnded: true)
            send(id, fromUs: role == .client, fields, bytes, trailers: nil)
            if Bool.random(using: &random) { try carry() }
        }
        try carry()
        // The client's streams beyond the server's limit are opened as others end.
        for number in 0..<12 {
            let id = 2 * number + 1
            let fields: HPACKHeaders = [":status": "200", "x-number": "\(number % 5)"]
            let bytes = body()
            let trailers: HPACKHeaders = ["x-end": "\(number)"]
            answers[id] = Received(bytes: bytes, fields: [fields, trailers].map { $0.map { "\($0.name)=\($0.value)" } }, isEnded: true)
            send(id, fromUs: role == .server, fields, bytes, trailers: trailers)
            if role == .client || Bool.random(using: &random) { try carry() }
        }
        try carry()
        #expect(ours.failure == nil)
        #expect(theirs.errors == [])
        #expect(ours.received == (role == .server ? requests : answers))
        #expect(theirs.received == (role == .server ? answers : requests))
        #expect(ours.closed.count == 12 && ours.framing.streams.isEmpty && ours.framing.openCount == 0)
        _ = try? channel.finish(acceptAlreadyClosed: true)
    }
}
