// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// `write(2)`, which the method of this name hides.
private func writeOut(_ bytes: UnsafeRawBufferPointer) -> Int { write(STDERR_FILENO, bytes.baseAddress, bytes.count) }

/// For people: errors, questions, progress.
///
/// Where nobody can be told, because standard error is closed or full, the command goes on and ends with its exit code.
enum StandardError {
    /// A line, in one write.
    static func say(_ text: String) { write(text + "\n") }

    /// In one write, unless the system takes less.
    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { writeOut($0) }
            if count > 0 {
                start += count
            } else if errno == EAGAIN {
                // The terminal is in non-blocking mode: wait for room.
                var descriptor = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
                _ = poll(&descriptor, 1, -1)
            } else if errno != EINTR {
                return
            }
        }
    }
}

/// What a process has to do about its first three descriptors before it opens anything.
enum StandardDescriptors {
    /// Standard input, output and error that are closed stay unusable: otherwise the next file that is opened, such as a database, would
    /// take the place of one of them, and messages would be written into it. A reader of the output that ends does not end the process.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            // The lowest free number is the one that is given.
            if fcntl(descriptor, F_GETFD) < 0, errno == EBADF { _ = open("/dev/null", mode) }
        }
    }
}
