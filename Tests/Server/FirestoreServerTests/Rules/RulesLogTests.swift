// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreRules
import Logging
import ServerFixtures
import Testing

@testable import FirestoreServer

/// A log whose reader is slow must not make requests slow.
@Suite(.timeLimit(.minutes(2)))
struct RulesLogTests {
    /// Holds the thread that writes the first line until it is let go.
    private final class SlowLog: Sendable {
        private let lines = Mutex<[String]>([])
        private let isHeld = DispatchSemaphore(value: 0)
        private let mayGo = DispatchSemaphore(value: 0)

        var all: [String] { lines.withLock { $0 } }
        var logger: Logger { Logger(label: "test") { [self] _ in Handler(log: self) } }

        func untilHeld() async {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                DispatchQueue(label: "test.held").async { [self] in
                    isHeld.wait()
                    continuation.resume()
                }
            }
        }

        func letGo() { mayGo.signal() }

        func write(_ line: String) {
            let isFirst = lines.withLock { lines in
                lines.append(line)
                return lines.count == 1
            }
            guard isFirst else { return }
            isHeld.signal()
            mayGo.wait()
        }

        private struct Handler: LogHandler {
            let log: SlowLog
            var metadata: Logger.Metadata = [:]
            var logLevel = Logger.Level.trace

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) { log.write("\(event.message) \(event.metadata ?? [:])") }
        }
    }

    private final class Nothing: RulesState {
        func before(_ key: DocumentKey) throws(FirestoreError) -> Document? { nil }
        func after(_ key: DocumentKey) throws(FirestoreError) -> Document? { nil }
    }

    private func denial(of path: String) throws -> RulesExplanation {
        let rules = try RuleSet("service cloud.firestore { match /databases/{db}/documents { match /{all=**} { allow read: if false; } } }")
        let request = RulesRequest(
            .get([DocumentKey(trusted: path)]), caller: .anonymous, database: ServerFixture.database,
            time: TimestampValue(microsecondsSince1970: 0))
        return try rules.trace(request, Nothing()).explanation
    }

    @Test func `denials do not wait for the log, and dropped ones are counted`() async throws {
        let slow = SlowLog()
        let log = RulesLog(slow.logger, capacity: 2)
        log.note(try denial(of: "a/first"), in: ServerFixture.database)
        await slow.untilHeld()
        // The log is held: these return all the same.
        for number in 0..<5 { log.note(try denial(of: "a/later\(number)"), in: ServerFixture.database) }
        slow.letGo()
        await log.finish()
        let lines = slow.all
        try #require(lines.count == 4)
        #expect(lines[0].contains("get a/first: denied") && lines[1].contains("a/later0") && lines[2].contains("a/later1"))
        #expect(lines[3].contains("more to say") && lines[3].contains("unlogged") && lines[3].contains("3"))
        log.note(try denial(of: "a/last"), in: ServerFixture.database)
        await log.finish()
        #expect(slow.all.count == 5)
    }
}
