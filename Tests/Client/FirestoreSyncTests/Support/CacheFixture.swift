// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import TestSupport
import Testing

@testable import FirestoreSync

/// A cache and the words to speak about it.
final class CacheFixture {
    let clock: ManualClock
    let store: LocalStore

    init(
        collection: LocalStore.Collection = .leastRecentlyUsed, file: String? = nil, user: SyncUser = .unauthenticated,
        server: String = "localhost:8080", indexPolicy: IndexPolicy = .manual, durability: Durability = .relaxed
    ) throws {
        clock = ManualClock(microseconds: 1_000_000_000_000_000)
        store = try LocalStore.open(
            LocalStore.Configuration(
                location: file.map { .file(path: $0) } ?? .memory, databaseID: DatabaseID(projectID: "demo"), server: server, user: user,
                collection: collection, durability: durability, indexPolicy: indexPolicy, clock: clock))
    }

    // MARK: What happens

    @discardableResult
    func write(_ writes: Write...) throws -> PendingBatch { try store.write([writes])[0].batch }

    /// Acknowledges the oldest batch.
    @discardableResult
    func acknowledge(at version: Int64, results: [[Value]] = []) throws -> [LocalChange] {
        let batch = try #require(try store.nextBatch(after: nil))
        let answer = AnsweredBatch(
            batch, at: DocumentVersion(microseconds: version),
            results: batch.writes.enumerated().map { place, write in
                var isDelete = false
                if case .delete = write.operation { isDelete = true }
                return WriteResult(
                    updateTime: isDelete ? nil : DocumentVersion(microseconds: version),
                    transformResults: place < results.count ? results[place] : [])
            }, streamToken: ByteSlice([1]))
        return try store.acknowledge([answer])[0]
    }

    /// Rejects the oldest batch.
    @discardableResult
    func reject(_ code: FirestoreError.Code = .permissionDenied) throws -> [LocalChange] {
        try store.reject(try #require(try store.nextBatch(after: nil)), because: FirestoreError(code, "no"))
    }

    func listen(_ path: String) throws -> TargetID {
        try store.allocate(.query(.collection(path))).targetID
    }

    /// Reports documents in one snapshot; they enter the target.
    @discardableResult
    func hear(
        _ documents: RemoteDocument..., at version: Int64, target: TargetID? = nil, removed: [String] = [], token: String = ""
    ) throws -> [LocalChange] {
        try hear(documents, at: version, target: target, removed: removed, token: token)
    }

    @discardableResult
    func hear(
        _ documents: [RemoteDocument], at version: Int64, target: TargetID? = nil, removed: [String] = [], token: String = ""
    ) throws -> [LocalChange] {
        var event = RemoteEvent(snapshotVersion: DocumentVersion(microseconds: version), documents: documents)
        if let target {
            event.targetChanges[target] = TargetDelta(
                resumeToken: ByteSlice([UInt8](token.utf8)), isCurrent: true,
                added: Set(documents.filter { $0.document != nil }.map(\.key)), removed: Set(removed.map { DocumentKey(trusted: $0) }))
        }
        return try store.apply(event)
    }

    // MARK: What can be seen

    func local(_ path: String) throws -> LocalDocument { try store.documents([DocumentKey(trusted: path)])[0] }

    /// A document in short: its fields, and `*` for local, `+` for committed mutations; `-` if missing, `?` if unknown, `` if none.
    func look(_ path: String) throws -> String { try Self.short(try local(path)) }

    static func short(_ document: LocalDocument) throws -> String {
        let mark =
            switch document.state {
            case .synced: ""
            case .hasLocalMutations: "*"
            case .hasCommittedMutations: "+"
            }
        let text: String
        switch document.content {
        case .found(let document): text = try short(document.fields)
        case .missing: text = "-"
        case .unknown: text = "?"
        case .none: text = ""
        }
        return text + mark
    }

    static func short(_ fields: FieldBytes) throws -> String { "{" + (try fields.map.short) + "}" }

    func paths(_ query: StructuredQuery) throws -> [String] { try store.run(query).map(\.key.path) }
}

extension FieldMap {
    fileprivate var short: String {
        entries.map { "\($0.name): \($0.value.short)" }.joined(separator: ", ")
    }
}

extension Value {
    fileprivate var short: String {
        switch self {
        case .integer(let integer): "\(integer)"
        case .double(let double): "\(double)"
        case .string(let string): string
        case .null: "null"
        case .array(let elements): "[" + elements.map(\.short).joined(separator: ", ") + "]"
        case .map(let map): "{" + map.short + "}"
        case .timestamp(let time): "t\(time.seconds)"
        default: "\(self)"
        }
    }
}

extension RemoteDocument {
    static func found(_ path: String, _ version: Int64, _ fields: (String, Value)...) -> RemoteDocument {
        found(path, version, FieldMap(fields))
    }

    static func found(_ path: String, _ version: Int64, _ fields: FieldMap) -> RemoteDocument {
        RemoteDocument(
            Document(
                key: DocumentKey(trusted: path), createTime: DocumentVersion(microseconds: 1),
                updateTime: DocumentVersion(microseconds: version), fields: FieldBytes(fields)))
    }

    static func missing(_ path: String, _ version: Int64) -> RemoteDocument {
        RemoteDocument(missing: DocumentKey(trusted: path), at: DocumentVersion(microseconds: version))
    }
}

extension Write {
    static func update(_ path: String, _ field: String, _ value: Value) -> Write {
        .patch(path, field, value, precondition: .exists(true))
    }
}
