// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
package import Logging

/// What a server has logged.
package final class RecordedLog: Sendable {
    package struct Entry: Sendable {
        package let level: Logger.Level
        package let message: String
        package let metadata: [String: String]
    }

    private let written = Mutex<[Entry]>([])

    package init() {}

    package var entries: [Entry] { written.withLock(\.self) }

    /// All entries as text.
    package var lines: [String] { entries.map { "\($0.level) \($0.message) \($0.metadata)" } }

    package var logger: Logger {
        Logger(label: "test") { _ in Handler(log: self) }
    }

    /// Waits until a line contains a text.
    package func wait(for text: String) async -> Bool {
        for _ in 0..<1_000 {
            if lines.contains(where: { $0.contains(text) }) { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let metadata = (event.metadata ?? [:]).mapValues { "\($0)" }
            log.written.withLock { $0.append(Entry(level: event.level, message: event.message.description, metadata: metadata)) }
        }
    }
}
