// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import FirestoreSemantics

let database = DatabaseID(projectID: "demo-p")

/// The time of every request.
let now = TimestampValue(seconds: 1_750_000_000, nanoseconds: 123_000_000)

/// Documents in memory, and what a commit would make of them.
final class MemoryState: RulesState {
    private let documents: [DocumentKey: Document]
    private let writes: [Write]
    /// The documents that were asked for.
    private(set) var reads: [String] = []

    init(_ documents: [Document], writes: [Write] = []) {
        self.documents = Dictionary(uniqueKeysWithValues: documents.map { ($0.key, $0) })
        self.writes = writes
    }

    func before(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        reads.append(key.path)
        return documents[key]
    }

    func after(_ key: DocumentKey) throws(FirestoreError) -> Document? {
        reads.append(key.path)
        var document = documents[key]
        let times = CommitTimes(commitTime: DocumentVersion(microseconds: now.microsecondsSince1970))
        for write in writes {
            // As in a commit, one write that cannot be applied is the end of all.
            let applied = try WriteApplication.apply(write, to: write.key == key ? document : documents[write.key], at: times, in: database)
            if write.key == key { document = applied.document }
        }
        return document
    }
}

/// A ruleset, documents and a caller.
struct RulesFixture {
    var rules: RuleSet
    var documents: [Document]
    var caller = RequestContext.Caller.anonymous
    var strictLists = false

    /// Rules for the third line, as the table of verified cases has them.
    static func text(_ body: String, version: Int = 2) -> String {
        "rules_version = '\(version)';\nservice cloud.firestore { match /databases/{db}/documents {\n\(body)\n}}"
    }

    init(_ body: String, version: Int = 2, documents: [Document] = Samples.documents) throws(RulesError) {
        rules = try RuleSet(Self.text(body, version: version))
        self.documents = documents
    }

    func `as`(_ uid: String, _ claims: (String, Value)...) -> RulesFixture {
        var copy = self
        copy.caller = .user(id: uid, claims: FieldMap([("sub", .string(uid))] + claims))
        return copy
    }

    func request(_ operation: RulesRequest.Operation) -> RulesRequest {
        RulesRequest(operation, caller: caller, database: database, time: now, strictLists: strictLists)
    }

    func decide(_ operation: RulesRequest.Operation) throws -> RulesDecision {
        try rules.decide(request(operation), state(for: operation))
    }

    func state(for operation: RulesRequest.Operation) -> MemoryState {
        if case .commit(let writes) = operation { return MemoryState(documents, writes: writes) }
        return MemoryState(documents)
    }

    func allowsGet(_ path: String) throws -> Bool { try decide(.get([DocumentKey(trusted: path)])).isGranted }
    func allows(_ query: StructuredQuery) throws -> Bool { try decide(.list(query)).isGranted }
    func allows(_ writes: Write...) throws -> Bool { try decide(.commit(writes)).isGranted }
}

enum Samples {
    static func document(_ path: String, _ fields: (String, Value)...) -> Document {
        let time = DocumentVersion(microseconds: 1_700_000_000_000_000)
        return Document(key: DocumentKey(trusted: path), createTime: time, updateTime: time, fields: FieldBytes(FieldMap(fields)))
    }

    /// The documents of the verified cases.
    static let documents = [
        document(
            "a/1", ("n", .integer(1)), ("s", .string("x")), ("l", .array([.integer(1), .integer(2)])),
            ("m", .map(FieldMap([("k", .integer(1))]))), ("owner", .string("alice")), ("pub", .boolean(true))),
        document("a/2", ("n", .integer(2)), ("owner", .string("bob")), ("pub", .boolean(false))),
        document("a/1/b/9", ("n", .integer(9))), document("users/alice", ("role", .string("admin"))),
    ]
}

func query(_ collection: String, _ filter: QueryFilter? = nil, limit: Int? = nil) -> StructuredQuery {
    StructuredQuery(scope: .collection(CollectionPath(trusted: collection)), filter: filter, limit: limit)
}

func group(_ id: String, _ filter: QueryFilter? = nil) -> StructuredQuery {
    StructuredQuery(scope: .collectionGroup(id: id, under: nil), filter: filter)
}

func field(_ path: String, _ op: QueryFilter.FieldOperator, _ value: Value) -> QueryFilter {
    .field(FieldPathSegments(path.split(separator: ".").map(String.init)), op, ValueBytes(value))
}
