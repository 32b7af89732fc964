// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Logging
import Testing

@testable import FirestoreServer

struct ShedLogTests {
    @Test func `the first is written immediately, what follows in one line a minute, and nothing while there is nothing`() {
        let lines = Mutex<[String]>([])
        let minutes = Mutex<[@Sendable () -> Void]>([])
        let log = ShedLog { metadata in
            lines.withLock { $0.append(metadata.map { "\($0.key) \($0.value)" }.sorted().joined(separator: ", ")) }
        } later: { work in
            minutes.withLock { $0.append(work) }
        }
        func minute() {
            let due = minutes.withLock { minutes in
                defer { minutes = [] }
                return minutes
            }
            for work in due { work() }
        }
        log.note(.resets)
        #expect(lines.withLock { $0 } == ["resets 1"])
        for _ in 0..<1000 { log.note(.resets) }
        log.note(.memory)
        #expect(lines.withLock { $0.count } == 1)
        minute()
        #expect(lines.withLock { $0.last } == "memory 1, resets 1000")
        minute()
        minute()
        #expect(lines.withLock { $0.count } == 2)
        log.note(.address)
        #expect(lines.withLock { $0.last } == "address 1")
    }
}
