// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A socket to a server, which can be cut at any byte. Its calls block: use it inside of `RawConnection.blocking`.
final class RawConnection {
    private let descriptor: Int32
    private(set) var received: [UInt8] = []

    init(_ address: RPCAddress) {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        // A server that closes first must not end the tests, and one that does not answer must not hold them.
        signal(SIGPIPE, SIG_IGN)
        var patience = timeval(tv_sec: 20, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(address.port).bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        _ = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }

    deinit { close(descriptor) }

    static func blocking<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            Thread { continuation.resume(returning: body()) }.start()
        }
    }

    func send(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        var sent = 0
        while sent < bytes.count {
            #if canImport(Glibc)
                let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, 0) }
            #else
                let count = bytes[sent...].withUnsafeBytes { Darwin.send(descriptor, $0.baseAddress, $0.count, 0) }
            #endif
            guard count > 0 else { return }
            sent += count
        }
    }

    /// Reads at most so many further bytes; false at the end.
    func read(_ most: Int = 65_536) -> Bool {
        var chunk = [UInt8](repeating: 0, count: most)
        let count = recv(descriptor, &chunk, most, 0)
        guard count > 0 else { return false }
        received += chunk[..<count]
        return true
    }

    /// Reads exactly so many bytes, or to the end, or until no more are wanted.
    func read(exactly count: Int, unless isEnough: ([UInt8]) -> Bool = { _ in false }) {
        while received.count < count, !isEnough(received), read(count - received.count) {}
    }

    /// Reads until what was received satisfies a condition.
    func read(until isEnough: ([UInt8]) -> Bool) {
        while !isEnough(received), read() {}
    }

    /// One request on a connection of its own; the body of its answer, which has a content length.
    static func ask(_ address: RPCAddress, _ request: [UInt8]) -> (status: String, body: String) {
        let connection = RawConnection(address)
        connection.send(request)
        connection.read { head(of: $0) != nil }
        guard let head = head(of: connection.received) else { return ("", "") }
        let lines = head.text.split(separator: "\r\n")
        let length = lines.compactMap { line in line.lowercased().hasPrefix("content-length:") ? Int(line.dropFirst(15).trimmingCharacters(in: .whitespaces)) : nil }
        connection.read(exactly: head.end + (length.first ?? 0))
        let status = lines.first?.split(separator: " ").dropFirst().first ?? ""
        return (String(status), String(decoding: connection.received[head.end...], as: UTF8.self))
    }

    static func head(of bytes: [UInt8]) -> (text: String, end: Int)? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= 4, let start = (0...(bytes.count - 4)).first(where: { bytes[$0] == 0x0D && Array(bytes[$0..<($0 + 4)]) == mark }) else { return nil }
        return (String(decoding: bytes[..<start], as: UTF8.self), start + 4)
    }
}
