import ArgumentParser
import Dispatch
import FirestoreCore
import Foundation

/// Ctrl-C and SIGTERM: the command lets go of what it holds and ends as the shell expects of one that was interrupted.
enum Interruption {
    /// Time for letting go; then the process ends as it is, which a database file survives.
    private static let patience = DispatchTimeInterval.seconds(10)

    /// Runs `body` in a task that a signal cancels. After the first signal the command ends, whatever `body` comes to; a
    /// second one ends it at once.
    static func watch(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // Who reads our output may have enough of it: that is told by a write that fails.
        signal(SIGPIPE, SIG_IGN)
        let received = Mutex<Int32?>(nil)
        let task = Task { try await body() }
        let queue = DispatchQueue(label: "hearth.signals")
        let sources = [SIGINT, SIGTERM].map { number in
            #if canImport(Darwin)
                // Elsewhere Dispatch puts its own handler in the place of the usual end of the process.
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
