// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// Results, in blocks of some kilobytes. All of them are written when `flush` returns.
final class StandardOutput: Sendable {
    /// The reader of the output has ended.
    struct Closed: Error {}

    private static let piece = 1 << 16

    private let buffer = Mutex<[UInt8]>([])

    func write(_ text: String) throws { try write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) throws {
        let full = buffer.withLock { buffer in
            buffer += bytes
            return buffer.count >= Self.piece
        }
        if full { try flush() }
    }

    func flush() throws {
        let bytes = buffer.withLock { buffer in
            defer { buffer.removeAll(keepingCapacity: true) }
            return buffer
        }
        guard let code = writeWhole(bytes, to: STDOUT_FILENO) else { return }
        if code == EPIPE { throw Closed() }
        throw FirestoreError(.unknown, "standard output cannot be written: \(String(cString: strerror(code)))")
    }
}

extension StandardOutput {
    /// Calls back once when the other end of the pipe or socket behind standard output is closed. Never for a file or a
    /// terminal, and never after the process has ended: the waiting thread ends with it.
    static func whenClosed(_ body: @escaping @Sendable () -> Void) {
        var status = stat()
        guard fstat(STDOUT_FILENO, &status) == 0, [S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else { return }
        let thread = Thread {
            // No events are requested: errors and hang-ups are reported unasked.
            var descriptor = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
            while poll(&descriptor, 1, -1) < 0, errno == EINTR {}
            if descriptor.revents != 0 { body() }
        }
        thread.name = "hearth.output"
        thread.stackSize = 1 << 16
        thread.start()
    }
}
