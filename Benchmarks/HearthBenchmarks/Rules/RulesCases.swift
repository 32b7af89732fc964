// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

/// Security rules in process: what a decision costs besides reading the document.
enum RulesCases {
    static var all: [BenchmarkCase] {
        [
            decision("rules: an owner's document, by a function", atLeast: 300_000, rules: owner),
            decision("rules: the same with a get of a role document", atLeast: nil, rules: role),
            listProof, commit, explanation, compilation,
        ]
    }

    private static let owner = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            function isSignedIn() { return request.auth != null; }
            function isOwner(document) { return isSignedIn() && document.data.owner == request.auth.uid; }
            match /notes/{note} {
              allow read: if isOwner(resource);
              allow create: if isSignedIn() && request.resource.data.owner == request.auth.uid;
              allow update, delete: if isOwner(resource);
            }
            match /public/{note} { allow read; }
          }
        }
        """

    static let role = """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents {
            function role() { return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role; }
            match /notes/{note} { allow read: if request.auth != null && role() in ['editor', 'admin']; }
          }
        }
        """

    /// A document of the question and one with the role, which every condition can read.
    final class Documents: RulesState {
        private let note: Document
        private let user: Document

        init() {
            func document(_ path: String, _ fields: (String, Value)...) -> Document {
                let time = DocumentVersion(microseconds: 1)
                return Document(key: DocumentKey(trusted: path), createTime: time, updateTime: time, fields: FieldBytes(FieldMap(fields)))
            }
            note = document(
                "notes/4f1a09bc22d1e8a7", ("body", .string(String(repeating: "x", count: 500))),
                ("owner", .string("bkT2cUJ7yFPR8qZ1nWmS4vXaE0d3")),
                ("tags", .array([.string("a"), .string("b")])), ("title", .string("A note")))
            user = document("users/bkT2cUJ7yFPR8qZ1nWmS4vXaE0d3", ("name", .string("Ada")), ("role", .string("admin")))
        }

        func before(_ key: DocumentKey) throws(FirestoreError) -> Document? { key == note.key ? note : key == user.key ? user : nil }
        func after(_ key: DocumentKey) throws(FirestoreError) -> Document? { try before(key) }
    }

    /// The question: how many documents per second can one core decide about?
    private static func decision(_ name: String, atLeast goal: Double?, rules text: String) -> BenchmarkCase {
        BenchmarkCase(figuresOf: name) {
            let rules = try RuleSet(text)
            let documents = Documents()
            let request = Self.request(.get([key]))
            guard try rules.decide(request, documents).isGranted else { throw BenchmarkFailure("the benchmark's document is denied") }
            let rate = try rate { blackHole(try rules.decide(request, documents)) }
            guard let goal else { return [.figure(name, rate, "decisions/s")] }
            return [.atLeast(goal, name, rate, "decisions/s")]
        }
    }

    static let uid = "bkT2cUJ7yFPR8qZ1nWmS4vXaE0d3"
    static let key = DocumentKey(trusted: "notes/4f1a09bc22d1e8a7")

    static func request(_ operation: RulesRequest.Operation, of user: String = uid) -> RulesRequest {
        let claims = FieldMap([("sub", .string(user)), ("email", .string("ada@example.com")), ("email_verified", .boolean(true))])
        return RulesRequest(
            operation, caller: .user(id: user, claims: claims), database: DatabaseID(projectID: "demo-hearth"),
            time: TimestampValue(seconds: 1_750_000_000, nanoseconds: 0))
    }

    /// The best of many rounds, per second.
    private static func rate(_ body: () throws -> Void) rethrows -> Double {
        let rounds = 20_000
        var shortest = Double.infinity
        for _ in 0..<20 {
            let start = ContinuousClock.now
            for _ in 0..<rounds { try body() }
            shortest = min(shortest, Measured.seconds(since: start))
        }
        return Double(rounds) / shortest
    }

    /// The question: what does it cost to prove a query with three filters, two of them alternatives?
    private static var listProof: BenchmarkCase {
        let name = "rules: a list, proved from its filters"
        return BenchmarkCase(figuresOf: name) {
            let rules = try RuleSet(owner)
            let isMine = QueryFilter.field(FieldPathSegments("owner"), .equal, ValueBytes(.string(uid)))
            let either = QueryFilter.or(["a", "b"].map { .field(FieldPathSegments("tags"), .arrayContains, ValueBytes(.string($0))) })
            let query = StructuredQuery(scope: .collection(CollectionPath(trusted: "notes")), filter: .and([isMine, either]))
            let request = request(.list(query))
            let documents = Documents()
            guard try rules.decide(request, documents).isGranted else { throw BenchmarkFailure("the benchmark's list is denied") }
            return [.figure(name, try rate { blackHole(try rules.decide(request, documents)) }, "decisions/s")]
        }
    }

    /// The question: what does it cost to decide about a commit of one write, which exists before and after?
    private static var commit: BenchmarkCase {
        let name = "rules: a commit of one write"
        return BenchmarkCase(figuresOf: name) {
            let rules = try RuleSet(owner)
            let fields = FieldBytes(FieldMap([("owner", .string(uid)), ("title", .string("Another title"))]))
            let request = request(.commit([Write(key: key, operation: .set(fields))]))
            let documents = Documents()
            guard try rules.decide(request, documents).isGranted else { throw BenchmarkFailure("the benchmark's commit is denied") }
            return [.figure(name, try rate { blackHole(try rules.decide(request, documents)) }, "decisions/s")]
        }
    }

    /// The question: what does a denial cost in development, where it says why?
    private static var explanation: BenchmarkCase {
        let name = "rules: a denial with its explanation"
        return BenchmarkCase(figuresOf: name) {
            let rules = try RuleSet(owner)
            let request = request(.get([key]), of: "someone else")
            let documents = Documents()
            guard try !rules.decide(request, documents).isGranted else { throw BenchmarkFailure("the benchmark's denial is granted") }
            return [.figure(name, try rate { blackHole(try rules.trace(request, documents).explanation.description) }, "denials/s")]
        }
    }

    /// The question: how long is a server without an answer when its rules change?
    private static var compilation: BenchmarkCase {
        let name = "rules: compiling 500 matches with functions"
        return BenchmarkCase(figuresOf: name) {
            let matches = (0..<500).map { "match /c\($0)/{id} { allow read, write: if isOwner(resource) || role() == 'admin\($0)'; }" }
            let text = """
                rules_version = '2';
                service cloud.firestore { match /databases/{database}/documents {
                function role() { return get(/databases/$(database)/documents/users/$(request.auth.uid)).data.role; }
                function isOwner(document) { return request.auth != null && document.data.owner == request.auth.uid; }
                \(matches.joined(separator: "\n"))
                }}
                """
            var shortest = Double.infinity
            for _ in 0..<10 {
                let start = ContinuousClock.now
                blackHole(try RuleSet(text))
                shortest = min(shortest, Measured.seconds(since: start))
            }
            return [.figure(name, shortest * 1e3, "ms")]
        }
    }
}
