// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules
import FuzzFrame

/// A ruleset. The target has one kind of input, so `HEARTH_FUZZ_TARGET` is not asked.
@main
enum FuzzTarget: Fuzzer {
    private final class Documents: RulesState {
        private static let document = Document(
            key: DocumentKey(trusted: "a/1"), createTime: DocumentVersion(microseconds: 1), updateTime: DocumentVersion(microseconds: 1),
            fields: FieldBytes(FieldMap([
                ("l", .array([.integer(1), .string("x")])), ("m", .map(FieldMap([("k", .double(.nan))]))), ("n", .integer(1)), ("s", .string("x")),
            ])))

        func before(_ key: DocumentKey) throws(FirestoreError) -> Document? { key == Self.document.key ? Self.document : nil }
        func after(_ key: DocumentKey) throws(FirestoreError) -> Document? { try before(key) }
    }

    private static let operations: [RulesRequest.Operation] = [
        .get([DocumentKey(trusted: "a/1"), DocumentKey(trusted: "a/1/b/2")]),
        .list(StructuredQuery(
            scope: .collection(CollectionPath(trusted: "a")),
            filter: .or([
                .field(FieldPathSegments("n"), .equal, ValueBytes(.integer(1))),
                .and([
                    .field(FieldPathSegments("n"), .greaterThan, ValueBytes(.integer(1))),
                    .field(FieldPathSegments("l"), .arrayContains, ValueBytes(.string("x"))),
                ]),
            ]))),
        .list(StructuredQuery(scope: .collectionGroup(id: "b", under: nil))),
        .commit([Write(key: DocumentKey(trusted: "a/1"), operation: .delete), Write(key: DocumentKey(trusted: "a/9"), operation: .set(.empty))]),
    ]

    static func run(_ input: [UInt8]) {
        let source = RulesSource(input)
        let rules: RuleSet
        do throws(RulesError) {
            rules = try RuleSet(source)
        } catch {
            precondition(!error.errors.isEmpty && !error.description.isEmpty)
            check(error.issues, source)
            return
        }
        check(rules.issues, source)
        let coverage = RulesCoverage(rules)
        for operation in operations {
            for strict in [false, true] {
                let request = RulesRequest(
                    operation, caller: .user(id: "alice", claims: FieldMap([("sub", .string("alice"))])), database: DatabaseID(projectID: "p"),
                    time: TimestampValue(seconds: 1_750_000_000, nanoseconds: 0), strictLists: strict)
                guard let decision = try? rules.decide(request, Documents()), let trace = try? rules.trace(request, Documents()) else {
                    preconditionFailure("the state can be read")
                }
                precondition(decision.isGranted == trace.decision.isGranted && decision.isGranted == trace.explanation.isGranted)
                precondition(decision.readDocuments == trace.decision.readDocuments)
                coverage.add(trace)
            }
        }
        _ = coverage.json.bytes()
        _ = coverage.lcov
    }

    private static func check(_ issues: [RulesIssue], _ source: RulesSource) {
        let lines = 1...(source.text.count { $0 == UInt8(ascii: "\n") } + 1)
        for case let range? in issues.map(\.range) {
            precondition(0 <= range.start && range.start <= range.end && range.end <= source.text.count, "a place outside of the text")
            let position = source.position(of: range)
            precondition(lines.contains(position.line) && position.column >= 1)
        }
    }
}
