// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import FirestoreTransfer

/// Reads the cases of a file.
struct RulesCaseReader {
    typealias Documents = [String: FieldBytes?]

    let file: String
    let database: DatabaseID
    /// The time of every request; nil for the current one.
    let time: TimestampValue?
    /// The initial documents of all cases, by path.
    let documents: Documents

    private static let requests = ["get", "list", "group", "create", "set", "update", "delete", "batch"]
    private static let writes = ["create", "set", "update", "delete"]

    func testCase(_ node: JSONNode, number: Int) throws(FirestoreError) -> RulesCase {
        let kinds = try node.entries().map(\.name).filter(Self.requests.contains)
        guard kinds.count == 1 else {
            throw node.failure("exactly one of \(Self.requests.joined(separator: ", ")) is expected, but there are \(kinds.count)")
        }
        var documents = documents
        if let own = try node.optional("documents") {
            documents.merge(try Self.documents(own, in: database)) { $1 }
        }
        // In milliseconds, like server timestamps, which rules compare with it.
        let now = TimestampValue(microsecondsSince1970: SystemClock().now() / 1_000 * 1_000)
        let time = try node.optional("time").map { node throws(FirestoreError) in try RulesCaseFile.time(node) } ?? time ?? now
        let before = DocumentVersion(microseconds: time.microsecondsSince1970 - 1_000_000)
        let stored = documents.sorted { $0.key < $1.key }.compactMap { path, fields in
            fields.map { Document(key: DocumentKey(trusted: path), createTime: before, updateTime: before, fields: $0) }
        }
        return RulesCase(
            file: file, name: try node.optional("name")?.string() ?? "case \(number)", operation: try operation(kinds[0], node),
            caller: try node.optional("as").map { node throws(FirestoreError) in try caller(node) } ?? .anonymous, documents: stored,
            database: database, time: time, expected: try answer(try node.required("expect")))
    }

    /// Paths and fields; null removes a document that the file has for all cases.
    static func documents(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) -> Documents {
        var documents: Documents = [:]
        for (path, node) in try node.entries() {
            let key = try PathCheck.documentKey(path)
            if case .null = node.json {
                documents.updateValue(nil, forKey: key.path)
            } else {
                documents.updateValue(try fields(node, in: database), forKey: key.path)
            }
        }
        return documents
    }

    private func answer(_ node: JSONNode) throws(FirestoreError) -> RulesCase.Answer {
        guard let answer = RulesCase.Answer(rawValue: try node.string()) else { throw node.failure("\"allow\" or \"deny\" is expected") }
        return answer
    }

    /// A user id, or an object with `uid` and the claims of the token.
    private func caller(_ node: JSONNode) throws(FirestoreError) -> RequestContext.Caller {
        if case .string(let uid) = node.json { return try user(uid, FieldMap(), node) }
        let uid = try node.required("uid").string()
        var claims = FieldMap()
        for (name, claim) in try node.entries() where name != "uid" {
            claims[name] = try Self.value(claim, in: database)
        }
        return try user(uid, claims, node)
    }

    private func user(_ uid: String, _ claims: FieldMap, _ node: JSONNode) throws(FirestoreError) -> RequestContext.Caller {
        guard !uid.isEmpty else { throw node.failure("the user's id is empty; leave \"as\" out for a request without a user") }
        var claims = claims
        for name in ["sub", "user_id"] where claims[name] == nil { claims[name] = .string(uid) }
        return .user(id: uid, claims: claims)
    }

    // MARK: Requests

    private func operation(_ kind: String, _ node: JSONNode) throws(FirestoreError) -> RulesRequest.Operation {
        switch kind {
        case "get":
            try node.allow(only: "name", "as", "expect", "documents", "time", "get")
            return .get([try key(try node.required("get"))])
        case "list", "group":
            try node.allow(
                only: "name", "as", "expect", "documents", "time", kind, "where", "orderBy", "limit", "offset")
            return .list(try query(kind, node))
        case "batch":
            try node.allow(only: "name", "as", "expect", "documents", "time", "batch")
            var writes: [Write] = []
            for node in try node.required("batch").elements() {
                let kinds = try node.entries().map(\.name).filter(Self.writes.contains)
                guard kinds.count == 1 else { throw node.failure("exactly one of \(Self.writes.joined(separator: ", ")) is expected") }
                try node.allow(only: kinds[0], "data", "merge", "deleteFields", "serverTimestamps", "increment")
                writes.append(try write(kinds[0], node))
            }
            guard !writes.isEmpty else { throw node.failure("\"batch\" is empty") }
            return .commit(writes)
        default:
            try node.allow(
                only: "name", "as", "expect", "documents", "time", kind, "data", "merge", "deleteFields", "serverTimestamps", "increment")
            return .commit([try write(kind, node)])
        }
    }

    private func key(_ node: JSONNode) throws(FirestoreError) -> DocumentKey {
        do throws(FirestoreError) {
            return try PathCheck.documentKey(try node.string())
        } catch {
            throw node.failure(error.message)
        }
    }

    private func query(_ kind: String, _ node: JSONNode) throws(FirestoreError) -> StructuredQuery {
        let text = try node.required(kind).string()
        let scope: QueryScope
        if kind == "group" {
            try PathCheck.collectionID(text)
            scope = .collectionGroup(id: text, under: nil)
        } else {
            scope = .collection(try PathCheck.collectionPath(text))
        }
        var filters: [QueryFilter] = []
        for condition in try texts("where", node) {
            filters.append(try WhereClause.parse(condition, NameOperand(scope: scope, database: database)))
        }
        var query = StructuredQuery(scope: scope, filter: filters.count > 1 ? .and(filters) : filters.first)
        for order in try texts("orderBy", node) { query.orders.append(try QueryOptions.order(order)) }
        query.limit = try node.optional("limit").map { node throws(FirestoreError) in try count(node) }
        query.offset = try node.optional("offset").map { node throws(FirestoreError) in try count(node) } ?? 0
        return query
    }

    private func count(_ node: JSONNode) throws(FirestoreError) -> Int {
        let number = try node.integer()
        guard (0...Int64(Int32.max)).contains(number) else { throw node.failure("a number between 0 and \(Int32.max) is expected") }
        return Int(number)
    }

    /// A member that is a string, or an array of them.
    private func texts(_ name: String, _ node: JSONNode) throws(FirestoreError) -> [String] {
        guard let member = try node.optional(name) else { return [] }
        if case .string(let text) = member.json { return [text] }
        var texts: [String] = []
        for element in try member.elements() { texts.append(try element.string()) }
        return texts
    }

    // MARK: Writes

    private func write(_ kind: String, _ node: JSONNode) throws(FirestoreError) -> Write {
        let key = try key(try node.required(kind))
        if kind == "delete" { return Write(key: key, operation: .delete) }
        let fields = try node.optional("data").map { node throws(FirestoreError) in try Self.fields(node, in: database) } ?? .empty
        let transforms = try transforms(node)
        let removed = try paths("deleteFields", node)
        let merges = try node.optional("merge")?.boolean() ?? false
        switch kind {
        case "update":
            // Names with dots lead into maps, as in `hearth update` and in the SDKs.
            var map = FieldMap()
            var mask: [FieldPathSegments] = []
            for (name, value) in try node.optional("data")?.entries() ?? [] {
                let path = try FieldPathText.parse(name)
                map[path] = try Self.value(value, in: database)
                mask.append(path)
            }
            return Write(
                key: key, operation: .patch(FieldBytes(map), mask: mask + removed), precondition: .exists(true), transforms: transforms)
        case "set" where merges || !removed.isEmpty:
            return Write(key: key, operation: .patch(fields, mask: fields.leafPaths + removed), transforms: transforms)
        default:
            return Write(
                key: key, operation: .set(fields), precondition: kind == "create" ? .exists(false) : nil, transforms: transforms)
        }
    }

    private func transforms(_ node: JSONNode) throws(FirestoreError) -> [FieldTransform] {
        var transforms: [FieldTransform] = []
        for path in try paths("serverTimestamps", node) { transforms.append(FieldTransform(path: path, kind: .serverTimestamp)) }
        for (name, number) in try node.optional("increment")?.entries() ?? [] {
            transforms.append(
                FieldTransform(path: try FieldPathText.parse(name), kind: .increment(try Self.value(number, in: database))))
        }
        return transforms
    }

    private func paths(_ name: String, _ node: JSONNode) throws(FirestoreError) -> [FieldPathSegments] {
        var paths: [FieldPathSegments] = []
        for text in try texts(name, node) { paths.append(try FieldPathText.parse(text)) }
        return paths
    }

    // MARK: Values

    private static func fields(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) -> FieldBytes {
        do throws(FirestoreError) {
            return try TypedJSON.fields(node.json.bytes(), in: database)
        } catch {
            throw node.failure(error.message)
        }
    }

    private static func value(_ node: JSONNode, in database: DatabaseID) throws(FirestoreError) -> Value {
        do throws(FirestoreError) {
            return try TypedJSON.value(node.json.bytes(), in: database).value
        } catch {
            throw node.failure(error.message)
        }
    }
}
