// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import FirestoreWire

/// Everything that is compared, as text that says all of it: equal exactly if the things are, and readable where they differ.
enum SpecText {
    static func of(_ query: ClientTarget) -> String {
        switch query {
        case .document(let key): key.path
        case .query(let query): of(query.query) + (query.limitsToLast ? " (from the end)" : "")
        }
    }

    static func of(_ target: SyncTarget) -> String {
        switch target {
        case .documents(let keys): keys.map(\.path).joined(separator: ", ")
        case .query(let query): of(query)
        }
    }

    private static func of(_ query: StructuredQuery) -> String {
        var parts: [String] = []
        switch query.scope {
        case .collection(let path): parts.append(path.path)
        case .collectionGroup(let id, let parent): parts.append("group \(id)" + (parent.map { " below \($0.path)" } ?? ""))
        case .kindless(let parent, let all): parts.append("\(all ? "everything" : "documents") below \(parent?.path ?? "the root")")
        }
        if let filter = query.filter { parts.append("where \(of(filter))") }
        if !query.orders.isEmpty {
            let orders = query.orders.map { "\($0.path.canonical) \($0.direction == .ascending ? "asc" : "desc")" }
            parts.append("order by \(orders.joined(separator: ", "))")
        }
        for (name, bound) in [("start", query.start), ("end", query.end)] {
            guard let bound else { continue }
            parts.append("\(name) \(bound.before ? "before" : "after") \(bound.values.map(of).joined(separator: ", "))")
        }
        if query.offset != 0 { parts.append("offset \(query.offset)") }
        if let limit = query.limit { parts.append("limit \(limit)") }
        if let projection = query.projection { parts.append("select \(projection.map(\.canonical).joined(separator: ", "))") }
        if query.nearest != nil { parts.append("nearest") }
        return parts.joined(separator: " ")
    }

    private static func of(_ filter: QueryFilter) -> String {
        switch filter {
        case .field(let path, let op, let operand): "\(path.canonical) \(op.rawValue) \(of(operand))"
        case .and(let filters): "(\(filters.map(of).joined(separator: " and ")))"
        case .or(let filters): "(\(filters.map(of).joined(separator: " or ")))"
        }
    }

    private static func of(_ value: ValueBytes) -> String { (try? value.value.json.text()) ?? "damaged" }

    static func of(_ fields: FieldBytes) -> String { (try? fields.map.json.text()) ?? "damaged" }

    static func of(_ write: Write) -> String {
        let what =
            switch write.operation {
            case .set(let fields): "set \(write.key) \(of(fields))"
            case .patch(let fields, let mask):
                "patch \(write.key) \(of(fields)) mask \(mask.map(\.canonical).sorted().joined(separator: ", "))"
            case .delete: "delete \(write.key)"
            case .verify: "verify \(write.key)"
            }
        let condition =
            switch write.precondition {
            case nil: ""
            case .exists(let exists)?: " if exists is \(exists)"
            case .updateTime(let version)?: " if changed at \(version.microseconds)"
            }
        return what + condition + (write.transforms.isEmpty ? "" : " with \(write.transforms.count) transforms")
    }

    // MARK: Events

    static func of(_ event: ExpectedEvent) -> String {
        if let code = event.errorCode { return "error \(code)" }
        return flags(event.isFromCache, event.hasPendingWrites)
            + changes(event.changes.map { "\($0.kind) \(of($0.document))" })
    }

    static func of(_ result: Result<SyncSnapshot, FirestoreError>) -> String {
        switch result {
        case .failure(let error): "error \(error.code)"
        case .success(let snapshot):
            flags(snapshot.isFromCache, snapshot.hasPendingWrites)
                + changes(snapshot.changes.map { "\($0.kind) \(of($0.document))" })
        }
    }

    private static func flags(_ isFromCache: Bool, _ hasPendingWrites: Bool) -> String {
        "fromCache \(isFromCache), hasPendingWrites \(hasPendingWrites)"
    }

    /// A set: in the order of their texts.
    private static func changes(_ changes: [String]) -> String { changes.sorted().map { "; \($0)" }.joined() }

    private static func of(_ document: SpecDocument) -> String {
        self.document(
            document.key, document.version, document.fields.map(of) ?? "missing",
            document.hasLocalMutations, document.hasCommittedMutations)
    }

    private static func of(_ document: LocalDocument) -> String {
        let content =
            switch document.content {
            case .found(let document): of(document.fields)
            case .missing: "missing"
            case .unknown: "unknown"
            case .none: "nothing"
            }
        // As the official clients print it; here such a document keeps the version of its base (SY-7, SY-212).
        let version = document.hasLocalMutations ? DocumentVersion.none : document.version
        return self.document(document.key, version, content, document.hasLocalMutations, document.hasCommittedMutations)
    }

    private static func document(
        _ key: DocumentKey, _ version: DocumentVersion, _ content: String, _ local: Bool, _ committed: Bool
    ) -> String {
        "\(key)@\(version.microseconds) \(content)\(local ? " local" : "")\(committed ? " committed" : "")"
    }

    // MARK: Targets

    static func of(_ start: ListenTargetRequest.Start) -> String {
        switch start {
        case .beginning: "the beginning"
        case .resumeToken(let token): "token \"\(String(decoding: token.array, as: UTF8.self))\""
        case .readTime(let time): "read time \(time.microsecondsSince1970)"
        }
    }

    static func of(_ keys: some Sequence<DocumentKey>) -> String {
        "[\(keys.map(\.path).sorted().joined(separator: ", "))]"
    }
}
