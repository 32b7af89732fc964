// SPDX-License-Identifier: Apache-2.0
import Foundation
#if canImport(Glibc)
    import Glibc
#endif
#if canImport(Musl)
    import Musl
#endif

/// The system's `send`, by a name that no method has.
#if canImport(Glibc)
    private let sendNow = Glibc.send
#else
    private let sendNow = Musl.send
#endif

/// One request over HTTP/1.1 on a separate socket, so that only the server determines the answer.
struct HTTPConnection {
    struct Failure: Error { let what: String }

    struct Response {
        let status: Int
        let body: [UInt8]
    }

    let port: Int

    /// Returns when the answer is there; blocks, so it must be called on a separate thread.
    func send(_ verb: String, _ target: String, _ headers: [(String, String)], _ body: [UInt8]) throws -> Response {
        let socket = Self.open()
        guard socket >= 0 else { throw Failure(what: "no socket") }
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        }
        guard isConnected else { throw Failure(what: "nobody listens") }
        var head = "\(verb) \(target) HTTP/1.1\r\nhost: 127.0.0.1:\(port)\r\nconnection: close\r\n"
        for (name, value) in headers { head += "\(name): \(value)\r\n" }
        if verb == "POST" { head += "content-type: application/json\r\ncontent-length: \(body.count)\r\n" }
        try write(Array((head + "\r\n").utf8) + body, to: socket)
        return try Self.response(try readAll(socket))
    }

    private static func open() -> Int32 {
        #if canImport(Glibc)
            Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            socket(AF_INET, SOCK_STREAM, 0)
        #endif
    }

    private func write(_ bytes: [UInt8], to socket: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { buffer in
                sendNow(socket, buffer.baseAddress, buffer.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(what: "the request could not be sent") }
            rest = rest.dropFirst(count)
        }
    }

    /// Until the server closes.
    private func readAll(_ socket: Int32) throws -> [UInt8] {
        var all: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(socket, &buffer, buffer.count)
            guard count >= 0 else { throw Failure(what: "the answer broke off") }
            if count == 0 { return all }
            all += buffer[..<count]
        }
    }

    private static func response(_ bytes: [UInt8]) throws -> Response {
        let separator = Array("\r\n\r\n".utf8)
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: separator) }) else { throw Failure(what: "no answer") }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).lowercased().components(separatedBy: "\r\n")
        guard let status = lines[0].split(separator: " ").dropFirst().first.flatMap({ Int($0) }) else { throw Failure(what: lines[0]) }
        let body = Array(bytes[(end + separator.count)...])
        if lines.contains("transfer-encoding: chunked") { return Response(status: status, body: try joined(body)) }
        guard lines.contains("content-length: \(body.count)") else { throw Failure(what: "the answer's length is not the one announced") }
        return Response(status: status, body: body)
    }

    /// The content of chunks; the last one is empty.
    private static func joined(_ chunks: [UInt8]) throws -> [UInt8] {
        var content: [UInt8] = []
        var rest = chunks[...]
        while let line = rest.firstIndex(of: UInt8(ascii: "\r")) {
            guard let count = Int(String(decoding: rest[..<line], as: UTF8.self), radix: 16) else { break }
            if count == 0 { return content }
            rest = rest[(line + 2)...]
            guard rest.count >= count + 2 else { break }
            content += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
        throw Failure(what: "the last chunk is missing")
    }
}
