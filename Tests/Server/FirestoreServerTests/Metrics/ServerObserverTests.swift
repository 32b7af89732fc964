// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Logging
import Testing

@testable import FirestoreServer

struct ServerObserverTests {
    /// OP-96
    @Test(arguments: [
        ([("traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")], "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"),
        ([("traceparent", "00-1-2-01"), ("x-request-id", "mine")], "mine"), ([], nil),
    ] as [([(name: String, value: String)], String?)])
    func `the line about a call has its trace`(headers: [(name: String, value: String)], trace: String?) {
        let seen = Mutex<[Logger.Metadata]>([])
        struct Handler: LogHandler {
            let note: @Sendable (Logger.Metadata) -> Void
            var logLevel = Logger.Level.trace
            var metadata: Logger.Metadata = [:]

            subscript(metadataKey key: String) -> Logger.Metadata.Value? {
                get { metadata[key] }
                set { metadata[key] = newValue }
            }

            func log(event: LogEvent) { note(event.metadata ?? [:]) }
        }
        let log = Logger(label: "test") { _ in Handler { line in seen.withLock { $0.append(line) } } }
        let record = RPCCallRecord(
            path: "/p", code: .internal, duration: .milliseconds(1), received: 1, sent: 1, metadata: RPCMetadata(headers))
        ServerObserver(metrics: nil, log: log).callEnded(record)
        #expect(seen.withLock { $0.map { $0["trace"].map { "\($0)" } } } == [trace])
    }
}
