// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A request over a socket whose answer is read line by line as it comes, from `transfer-encoding: chunked`.
final class RawStream: Sendable {
    private struct State {
        var isClosed = false
        /// As received, from the first byte that is not yet understood.
        var raw: [UInt8] = []
        var head: String?
        /// The body, from the first line that is not yet read.
        var body: [UInt8] = []
        var isEnded = false

        /// Moves what is understood of `raw`.
        mutating func understand() {
            if head == nil {
                guard let end = RawStream.index(of: Array("\r\n\r\n".utf8), in: raw) else { return }
                head = String(decoding: raw[..<end], as: UTF8.self)
                raw.removeFirst(end + 4)
            }
            while let end = RawStream.index(of: Array("\r\n".utf8), in: raw) {
                guard let size = Int(String(decoding: raw[..<end], as: UTF8.self), radix: 16) else { break }
                guard raw.count >= end + 2 + size + 2 else { return }
                body += raw[(end + 2)..<(end + 2 + size)]
                raw.removeFirst(end + 2 + size + 2)
                if size == 0 { isEnded = true }
            }
        }

        mutating func takeLine() -> String? {
            guard let end = body.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
            defer { body.removeFirst(end + 1) }
            return String(decoding: body[..<end], as: UTF8.self)
        }
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "raw-stream")

    init(_ address: RPCAddress, _ request: String) {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        signal(SIGPIPE, SIG_IGN)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(address.port).bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        }
        if !isConnected { state.withLock { $0.isEnded = true } }
        let bytes = Array(request.utf8)
        _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, 0) }
    }

    deinit { close(descriptor) }

    private static func index(of part: [UInt8], in bytes: [UInt8]) -> Int? {
        guard bytes.count >= part.count else { return nil }
        return (0...(bytes.count - part.count)).first { bytes[$0..<($0 + part.count)].elementsEqual(part) }
    }

    /// Disconnects.
    func cut() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Status line and headers, in lower case.
    func head() async -> String {
        await find { state in state.head ?? (state.isEnded ? "" : nil) }.lowercased()
    }

    /// The next line that is not empty; nil at the end.
    func line() async -> String? {
        let line = await find { state -> String? in
            while let line = state.takeLine() {
                if !line.isEmpty { return line }
            }
            return state.isEnded ? "" : nil
        }
        return line.isEmpty ? nil : line
    }

    /// What the next line says that has this member; nil if the stream ends before.
    func next(_ member: String) async throws -> JSON? {
        while let line = await line() {
            if let value = try JSON(line.utf8)[member] { return value }
        }
        return nil
    }

    private func find(_ body: @escaping @Sendable (inout State) -> String?) async -> String {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: self.findNow(body)) }
        }
    }

    private func findNow(_ body: (inout State) -> String?) -> String {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let found = state.withLock({ body(&$0) }) { return found }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            state.withLock { state in
                guard count > 0 else { return state.isEnded = true }
                state.raw += chunk[..<count]
                state.understand()
            }
        }
    }
}
