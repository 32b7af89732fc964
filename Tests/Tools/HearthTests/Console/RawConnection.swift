// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc

/// A connection of a client that sends and reads when a test says so. Its calls wait, so they belong on a thread of their own.
final class RawConnection {
    private let descriptor: Int32

    init?(port: Int) {
        signal(SIGPIPE, SIG_IGN)
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = in_port_t(port).bigEndian
        place.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isConnected = withUnsafePointer(to: &place) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0 }
        }
        guard isConnected else { return nil }
    }

    deinit { close(descriptor) }

    /// Returns whether everything was sent.
    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    func send(_ text: String) { send(Array(text.utf8)) }

    /// A chunk of a body whose length is not known beforehand; an empty one is its end.
    @discardableResult
    func send(chunk bytes: [UInt8]) -> Bool { send(Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + Array("\r\n".utf8)) }

    /// Everything until the server closes, or has sent `text`.
    func read(until text: String? = nil) -> String {
        var answer: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            if let text, String(decoding: answer, as: UTF8.self).contains(text) { break }
            let count = recv(descriptor, &chunk, chunk.count, 0)
            guard count > 0 else { break }
            answer += chunk[..<count]
        }
        return String(decoding: answer, as: UTF8.self)
    }

    /// Runs `body` on a thread that may wait.
    static func onThread<R: Sendable>(_ body: @escaping @Sendable () -> R) async -> R {
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "test.connection").async { continuation.resume(returning: body()) }
        }
    }
}
