// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreServer

/// The metrics of a server at one moment, as the console draws them.
struct UsageSample: Sendable {
    let values: UsageFigures.Values
    let documents: DocumentFigures.Values
    /// The size of all databases' files; nil in memory.
    let bytes: Int64?
    /// The memory of the process; nil where the system does not say.
    let memory: Int?

    init(_ values: UsageFigures.Values, _ documents: DocumentFigures.Values, bytes: Int64?, memory: Int?) {
        self.values = values
        self.documents = documents
        self.bytes = bytes
        self.memory = memory
    }

    /// - Parameter time: In microseconds since 1970.
    func json(at time: Int64) -> JSON {
        // Milliseconds are enough.
        let time = TimestampValue(microsecondsSince1970: time / 1_000 * 1_000)
        var members: [(name: String, value: JSON)] = [
            ("time", .string(time.text)), ("calls", .number(values.calls)), ("errors", .number(values.errors)),
            ("reads", .number(documents.reads)), ("writes", .number(documents.writes)), ("deletes", .number(documents.deletes)),
            ("listeners", .number(values.listeners)), ("connections", .number(values.connections)),
        ]
        if let memory { members.append(("memory", .number(memory))) }
        if let bytes { members.append(("bytes", .number(bytes))) }
        for (name, duration) in [("p50", values.median), ("p99", values.highest)] {
            if let duration { members.append((name, .number("\(duration / .seconds(1))"))) }
        }
        return .object(members)
    }
}
