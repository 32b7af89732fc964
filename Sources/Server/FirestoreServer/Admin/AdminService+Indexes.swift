// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreWire
import HearthBase

/// Composite indexes that are configured. Automatic ones are not shown: tools would offer to delete them.
extension AdminService {
    /// Indexes with vectors, which searches here do not need, are kept as they were sent.
    private static let vectors = "hearth/admin/vector-indexes/"

    func createIndex(_ request: JSON) async throws(FirestoreError) -> JSON {
        let (database, group) = try AdminName.group(request.text("parent"))
        try PathCheck.collectionID(group)
        let wanted = try IndexMessage.read(request["index"] ?? .empty, group: group)
        let (service, facts) = try await used(database)
        switch wanted {
        case .vector(let message): return try await createVectorIndex(message, group, database, facts)
        case .index(let definition):
            let number = try await Self.administration(of: service).addIndex(definition)
            let name = IndexMessage.name(Self.id(number), group: group, in: database)
            let metadata = JSON.object([("startTime", .time(clock.now())), ("index", .string(name)), ("state", .string("PROCESSING"))])
            let id = try await OperationStore(facts, clock: clock).add(
                OperationRecord(database, .indexOperationMetadata, metadata, now: clock.now(), process: transfers.process))
            return try await operation(id, in: database)
        }
    }

    private func createVectorIndex(
        _ message: JSON, _ group: String, _ database: DatabaseID, _ facts: any FactService
    ) async throws(FirestoreError) -> JSON {
        // Equal messages have equal names.
        var digest = Checksum()
        digest.add(message.bytes())
        let id = "v" + String(digest.value, radix: 36)
        let stored = JSON.object([("group", .string(group)), ("index", message)])
        try await facts.changeFact(Self.vectors + PercentEncoding.encode(group) + "/" + id) { (present) throws(FirestoreError) in
            guard present == nil else { throw FirestoreError(.alreadyExists, "the index exists already") }
            return ByteSlice(stored.bytes())
        }
        let name = IndexMessage.name(id, group: group, in: database)
        let now = clock.now()
        let metadata = JSON.object([
            ("startTime", .time(now)), ("endTime", .time(now)), ("index", .string(name)), ("state", .string("SUCCESSFUL")),
        ])
        return try await finished(
            .indexOperationMetadata, metadata, answer: (.index, Self.vectorMessage(message, name: name)), in: database, facts)
    }

    func listIndexes(_ request: JSON) async throws(FirestoreError) -> JSON {
        let (database, group) = try AdminName.group(request.text("parent"))
        guard request.text("filter").isEmpty else { throw .invalidArgument("lists of indexes have no filter here", at: "filter") }
        let all = try await indexes(of: database).filter { group == "-" || equalUTF8($0.group, group) }
        let page = try AdminPage.of(all, request) { $0.key }
        return .members([
            ("indexes", page.elements.isEmpty ? nil : .array(page.elements.map(\.message))), ("nextPageToken", page.next),
        ])
    }

    func getIndex(_ request: JSON) async throws(FirestoreError) -> JSON {
        try await index(named: request.text("name")).message
    }

    func deleteIndex(_ request: JSON) async throws(FirestoreError) -> JSON {
        let (database, _, _) = try AdminName.index(request.text("name"))
        let index = try await index(named: request.text("name"))
        let (service, facts) = try await used(database)
        if let number = index.number {
            _ = try await Self.administration(of: service).removeIndex(number)
        } else {
            try await facts.setFact(Self.vectors + PercentEncoding.encode(index.group) + "/" + index.id, nil)
        }
        return .empty
    }

    /// An index that is shown.
    struct ShownIndex: Sendable {
        let id: String
        /// nil for one with a vector.
        let number: Int64?
        let group: String
        let progress: Double
        let entries: Int
        let isReady: Bool
        let message: JSON

        /// The place in lists: by group, the earliest first.
        var key: String { "\(group)/\(String(repeating: "0", count: max(0, 16 - id.utf8.count)))\(id)" }
    }

    func index(named name: String) async throws(FirestoreError) -> ShownIndex {
        let (database, group, id) = try AdminName.index(name)
        // gcloud names indexes by their ids alone, in the group of the defaults.
        let isAnyGroup = group == "-" || equalUTF8(group, FieldName.defaultGroup)
        let found = try await indexes(of: database).first { equalUTF8($0.id, id) && (isAnyGroup || equalUTF8($0.group, group)) }
        guard let found else { throw FirestoreError(.notFound, "there is no such index", at: String(name.prefix(1_000))) }
        return found
    }

    /// Sorted by group and id.
    private func indexes(of database: DatabaseID) async throws(FirestoreError) -> [ShownIndex] {
        let (service, facts) = try await used(database)
        var shown = try await Self.administration(of: service).indexes().filter { $0.isConfigured && $0.definition.isListed }.map {
            status in
            let (id, group) = (Self.id(status.number), status.definition.collectionID)
            return ShownIndex(
                id: id, number: status.number, group: group, progress: status.progress, entries: status.entries,
                isReady: status.state == .ready,
                message: IndexMessage.message(
                    status.definition, isReady: status.state == .ready, name: IndexMessage.name(id, group: group, in: database)))
        }
        for (key, value) in try await facts.facts(below: Self.vectors) {
            guard let json = try? JSON(value.array), let message = json["index"], let slash = key.utf8.lastIndex(of: UInt8(ascii: "/"))
            else {
                continue
            }
            let (id, group) = (String(key[key.utf8.index(after: slash)...]), json.text("group"))
            let name = IndexMessage.name(id, group: group, in: database)
            shown.append(
                ShownIndex(
                    id: id, number: nil, group: group, progress: 1, entries: 0, isReady: true,
                    message: Self.vectorMessage(message, name: name)))
        }
        return shown.sorted { compareUTF8($0.key, $1.key) < 0 }
    }

    private static func vectorMessage(_ message: JSON, name: String) -> JSON {
        var message = message
        message.setMember("name", .string(name))
        message.setMember("apiScope", .string("ANY_API"))
        message.setMember("state", .string("READY"))
        return message
    }

    /// The number of an index in the catalog, as names have it.
    private static func id(_ number: Int64) -> String { String(number, radix: 36) }

    static func administration(of service: RuledService) throws(FirestoreError) -> any IndexAdministration {
        guard let indexes = service.indexAdministration else {
            throw FirestoreError(.unimplemented, "the indexes of this database cannot be administered")
        }
        return indexes
    }
}
