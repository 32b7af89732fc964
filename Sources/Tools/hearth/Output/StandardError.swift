// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// For the user: errors, questions, progress.
///
/// If standard error is closed or full, the message is lost, and the command continues and ends with its exit code.
enum StandardError {
    /// A line, in one write.
    static func say(_ text: String) { write(text + "\n") }

    /// In one write, unless the system takes less.
    static func write(_ text: String) { _ = writeWhole(Array(text.utf8), to: STDERR_FILENO) }
}

/// Prepares the first three descriptors of a process before it opens anything.
enum StandardDescriptors {
    /// Standard input, output and error that are closed stay unusable: otherwise the next file that is opened, such as a database, would
    /// replace one of them, and messages would be written into it. A reader of the output that ends does not end the process.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        for (descriptor, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)] {
            // The lowest free number is the one that is given.
            if fcntl(descriptor, F_GETFD) < 0, errno == EBADF { _ = open("/dev/null", mode) }
        }
    }
}
