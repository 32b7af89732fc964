// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

/// The answer of an operation, and its type.
typealias OperationAnswer = (type: AdminMessage, message: JSON)

/// An operation as a database stores it: the message `Operation`, and which process performs it.
struct OperationRecord: Sendable {
    static let facts = "hearth/admin/operations/"
    /// A week, in microseconds.
    static let lifetime: Int64 = 604_800_000_000
    /// A process that has not reported for so long does not exist any more: a minute, in microseconds.
    static let patience: Int64 = 60_000_000

    let id: String
    let started: Int64
    /// What performs it.
    let process: String
    /// When the process last reported.
    var beat: Int64
    private(set) var operation: JSON

    init(_ database: DatabaseID, _ type: AdminMessage, _ metadata: JSON, now: Int64, process: String) {
        id = AutoID.make()
        started = now
        beat = now
        self.process = process
        operation = .object([
            ("name", .string("\(database.resourceName)/operations/\(id)")),
            ("metadata", Self.any((type, metadata))),
        ])
    }

    /// nil if the bytes are damaged.
    init?(id: String, stored bytes: ByteSlice) {
        guard let json = try? JSON(bytes.array), let operation = json["operation"] else { return nil }
        self.id = id
        started = Int64(json.integer("started"))
        beat = Int64(json.integer("beat"))
        process = json.text("process")
        self.operation = operation
    }

    var stored: ByteSlice {
        ByteSlice(
            JSON.object([
                ("started", .number(started)), ("beat", .number(beat)), ("process", .string(process)), ("operation", operation),
            ]).bytes())
    }

    var isDone: Bool { operation.flag("done") }

    var metadata: JSON { operation["metadata"] ?? .empty }

    var type: AdminMessage? { AdminMessage(typeURL: metadata.text("@type")) }

    /// Sort key: newest first.
    var key: String {
        let age = String(Int64.max - started)
        return String(repeating: "0", count: 19 - age.utf8.count) + age + "/" + id
    }

    // MARK: Changes

    mutating func finish(_ answer: OperationAnswer, now: Int64) {
        end("SUCCESSFUL", now)
        operation.setMember("response", Self.any(answer))
    }

    mutating func fail(_ error: FirestoreError, now: Int64) {
        end(error.code == .cancelled ? "CANCELLED" : "FAILED", now)
        operation.setMember("error", .object([("code", .number(error.code.rawValue)), ("message", .string(error.description))]))
    }

    private mutating func end(_ state: String, _ now: Int64) {
        operation.setMember("done", .boolean(true))
        setState(state)
        if type?.has("endTime") == true { setMetadata("endTime", .time(now)) }
    }

    mutating func setProgress(documents: Int, of estimate: Int? = nil, bytes: Int64? = nil) {
        func progress(_ completed: String, _ estimated: String?) -> JSON {
            .members([("estimatedWork", estimated.map { .string($0) }), ("completedWork", .string(completed))])
        }
        setMetadata("progressDocuments", progress(String(documents), estimate.map { String($0) }))
        if let bytes { setMetadata("progressBytes", progress(String(bytes), nil)) }
    }

    mutating func setPercentage(_ hundredths: Int) {
        setMetadata("progressPercentage", .object([("estimatedWork", .string("100")), ("completedWork", .string("\(hundredths)"))]))
    }

    mutating func setState(_ state: String) {
        guard let type else { return }
        if type.has("operationState") { setMetadata("operationState", .string(state)) }
        if type.has("state") { setMetadata("state", .string(state)) }
    }

    private mutating func setMetadata(_ name: String, _ value: JSON) {
        var metadata = metadata
        metadata.setMember(name, value)
        operation.setMember("metadata", metadata)
    }

    private static func any(_ content: OperationAnswer) -> JSON {
        guard case .object(let members) = content.message else { return .object([("@type", .string(content.type.typeURL))]) }
        return .object([("@type", .string(content.type.typeURL))] + members)
    }
}
