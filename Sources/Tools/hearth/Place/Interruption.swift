// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Dispatch
import FirestoreCore
import Foundation

/// Ctrl-C and SIGTERM: the command releases its resources and ends as the shell expects of an interrupted command.
enum Interruption {
    /// The time limit for releasing resources; then the process ends immediately, which does not damage a database
    /// file.
    private static let patience = DispatchTimeInterval.seconds(10)

    /// Runs `body` in a task that a signal cancels. After the first signal the command ends, whatever the result of
    /// `body`; a second one ends it immediately.
    static func watch(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // If the reader of the output ends, a write fails; the signal is not needed.
        signal(SIGPIPE, SIG_IGN)
        let received = Mutex<Int32?>(nil)
        let task = Task { try await body() }
        let queue = DispatchQueue(label: "hearth.signals")
        let sources = [SIGINT, SIGTERM].map { number in
            #if canImport(Darwin)
                // On other platforms Dispatch replaces the default action.
                signal(number, SIG_IGN)
            #endif
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                let isFirst = received.withLock { received in
                    defer { received = received ?? number }
                    return received == nil
                }
                guard isFirst else { _exit(128 + number) }
                task.cancel()
                queue.asyncAfter(deadline: .now() + patience) { _exit(128 + number) }
            }
            source.resume()
            return source
        }
        let result = await task.result
        for source in sources { source.cancel() }
        if let number = received.withLock({ $0 }) { throw ExitCode(128 + number) }
        try result.get()
    }
}
