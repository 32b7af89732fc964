// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport
import Testing

@testable import FirestoreRules

/// Why something was denied, and what was evaluated (SR-142).
struct ExplanationTests {
    private func trace(_ body: String, _ operation: RulesRequest.Operation, as uid: String? = "alice") throws -> RulesTrace {
        let fixture = try RulesFixture(body)
        let asked = uid.map { fixture.as($0) } ?? fixture
        return try asked.rules.trace(asked.request(operation), asked.state(for: operation))
    }

    private func get(_ path: String) -> RulesRequest.Operation { .get([DocumentKey(trusted: path)]) }

    @Test func `a denial names statements, positions and values`() throws {
        let body = """
            match /a/{x} {
              function isOwner(d) { return d.data.owner == request.auth.uid; }
              allow get: if isOwner(resource) || resource.data.zz == 1;
              allow read: if x == '2' && false;
            }
            """
        let explanation = try trace(body, get("a/1"), as: "bob").explanation
        #expect(!explanation.isGranted && explanation.operation == "get a/1")
        #expect(explanation.statements.map { "\($0.position) \($0.matchPath) \($0.outcome)" } == [
            "L5:17 /databases/{db}/documents/a/{x} Property zz is undefined on object.", "L6:18 /databases/{db}/documents/a/{x} false",
        ])
        let values = explanation.statements[0].values.map { "\($0.position) \($0.expression) = \($0.result)" }
        #expect(values.contains("L4:32 d.data.owner = \"alice\"") && values.contains("L4:48 request.auth.uid = \"bob\"") && values.contains("L5:17 isOwner(resource) = false"), "\(values)")
        #expect(values.contains("L5:38 resource.data.zz = Property zz is undefined on object."), "\(values)")
        #expect(explanation.summary == "get a/1: denied. L5:17 Property zz is undefined on object., L6:18 false")
        #expect(explanation.description.hasPrefix("get a/1: denied.\n  L5:17 match /databases/{db}/documents/a/{x}: Property zz"))
    }

    @Test func `the operation that decided is explained`() throws {
        let body = "match /a/{x} { allow write: if x == '1'; }"
        let denied = try trace(body, .commit([.set("a/1"), .set("a/2"), .set("a/3")])).explanation
        #expect(denied.operation == "update a/2" && denied.statements.map(\.outcome) == ["false"])
        let granted = try trace(body, .commit([.set("a/1")])).explanation
        #expect(granted.isGranted && granted.statements.map(\.outcome) == ["true"])
        let unmatched = try trace(body, get("b/1")).explanation
        #expect(unmatched.statements.isEmpty && unmatched.summary == "get b/1: denied. No matching allow statements")
        #expect(unmatched.description.contains("No match statement"))
        let listed = try trace("match /a/{x} { allow list: if resource.data.n > 1; }", .list(query("a", field("n", .greaterThan, .integer(0))))).explanation
        #expect(listed.operation == "list a" && listed.statements.map(\.outcome) == ["The filters of the query do not prove it."])
        let exhausted = try trace("match /a/{x} { allow get: if [\(Array(repeating: "1", count: 1200).joined(separator: ","))].size() > 0; }", get("a/1")).explanation
        #expect(exhausted.statements[0].outcome.contains("maximum of 1000 expressions"))
    }

    @Test func `a request that no rule was asked about is named, and only an administrator's is called that`() throws {
        let body = "match /a/{x} { allow write: if x == '1'; }"
        let empty = try trace(body, .commit([])).explanation
        #expect(empty.isGranted && empty.operation == "commit without writes" && empty.user == "alice" && empty.statements.isEmpty)
        #expect(empty.description == "commit without writes: granted.\n  The request names no document, so that no rule applies to it.")
        #expect(try trace(body, .get([]), as: nil).explanation.operation == "get of no documents")
        var fixture = try RulesFixture(body)
        fixture.caller = .administrator
        for (operation, name) in [(get("a/1"), "get a/1"), (.list(query("a")), "list a"), (.commit([.set("a/1")]), "write a/1")] {
            let explanation = try fixture.rules.trace(fixture.request(operation), fixture.state(for: operation)).explanation
            #expect(explanation.description == "\(name): granted.\n  Rules do not apply to administrators.")
            #expect(explanation.summary == "\(name): granted. Rules do not apply to administrators.")
        }
    }

    @Test func `a trace decides as a decision does`() throws {
        for row in VerifiedCase.all {
            guard let fixture = try? RulesFixture(row.rules, version: row.version) else { continue }
            let request = try CaseRequest(row.request)
            var asked = fixture
            asked.caller = request.caller
            let decision = try asked.decide(request.operation)
            let trace = try asked.rules.trace(asked.request(request.operation), asked.state(for: request.operation))
            #expect(trace.decision.isGranted == decision.isGranted && trace.decision.readDocuments == decision.readDocuments, "\(row)")
            #expect(trace.explanation.isGranted == decision.isGranted)
        }
    }

    /// The outcomes that the table gives in parentheses are Hearth's, too. Exceptions: a set that the emulator also judges as a create,
    /// and a constraint, which Hearth never finds to be of another type (SR-94).
    @Test func `reasons are the emulator's`() throws {
        var compared = 0
        for row in VerifiedCase.all where row.answer.hasPrefix("deny (") && !row.answer.contains("evaluation error") {
            if [78, 108].contains(row.number) { continue }
            let fixture = try RulesFixture(row.rules, version: row.version)
            let request = try CaseRequest(row.request)
            var asked = fixture
            asked.caller = request.caller
            let explanation = try asked.rules.trace(asked.request(request.operation), asked.state(for: request.operation)).explanation
            let reason = row.answer.dropFirst("deny (".count).dropLast()
            let outcome = explanation.statements.last?.outcome ?? "No matching allow statements"
            #expect(outcome.contains(reason) || reason == "any < constraint." || reason == "any <= constraint.", "\(row): \(outcome)")
            compared += 1
        }
        #expect(compared > 40)
    }

    @Test func `debug hands out its values`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow get: if debug(resource.data.l) == [1, 2] && debug(x) == 'y'; }")
        let debugged = try fixture.decide(get("a/1")).debugged
        #expect(debugged.map { "\($0.position) \($0.value.text())" } == ["L3:30 [1,2]", "L3:66 \"1\""])
    }

    // MARK: Coverage

    @Test func `coverage counts values per expression, as the emulator writes them`() throws {
        let body = "function f(v) { let w = v + 1; return w == 2; } match /a/{x} { allow get: if request.auth != null && f(resource.data.n); allow list; }"
        let fixture = try RulesFixture(body)
        let coverage = RulesCoverage(fixture.rules)
        for (uid, path) in [("alice", "a/1"), ("alice", "a/2"), ("", "a/1")] {
            let asked = uid.isEmpty ? fixture : fixture.as(uid)
            coverage.add(try asked.rules.trace(asked.request(get(path)), asked.state(for: get(path))))
        }
        guard case .array(let report)? = coverage.json["report"] else {
            Issue.record("no report")
            return
        }
        // The variable, the result, the condition.
        #expect(report.count == 3)
        #expect(report[0]["sourcePosition"]?.text() == #"{"line":3,"column":25,"currentOffset":105,"endOffset":109}"#)
        #expect(report[0]["values"]?.text() == #"[{"value":{"intValue":"2"},"count":1},{"value":{"intValue":"3"},"count":1}]"#)
        #expect(report[1]["values"]?.text() == #"[{"value":{"boolValue":true},"count":1},{"value":{"boolValue":false},"count":1}]"#)
        #expect(report[2]["values"]?.text() == #"[{"value":{"boolValue":true},"count":1},{"value":{"boolValue":false},"count":2}]"#)
        guard case .array(let children)? = report[2]["children"] else {
            Issue.record("no children")
            return
        }
        #expect(children.count == 2 && children[0]["values"]?.text().contains(#""boolValue":false},"count":1"#) == true)
        #expect(coverage.json["rules"]?.text().contains("service cloud.firestore") == true)
    }

    @Test func `an error has its cause, and expressions without evaluation have no values`() throws {
        let fixture = try RulesFixture("match /a/{x} { allow get: if resource.data.zz == 1 && x == '1'; allow delete: if x == '2'; }")
        let coverage = RulesCoverage(fixture.rules)
        coverage.add(try fixture.rules.trace(fixture.request(get("a/1")), fixture.state(for: get("a/1"))))
        guard case .array(let report)? = coverage.json["report"] else { return }
        #expect(report[0]["values"]?.text() == #"[{"value":{"undefined":{"sourcePosition":{"line":3,"column":30},"causeMessage":"Property zz is undefined on object."}},"count":1}]"#)
        #expect(report[1]["values"] == nil && report[1]["children"] != nil)
    }

    @Test func `coverage as LCOV has lines and branches`() throws {
        let body = "match /a/{x} {\n  allow get: if x == '1'\n    && resource.data.n == 1;\n  allow list: if x == 'never';\n  allow delete;\n}"
        let fixture = try RulesFixture(body)
        let coverage = RulesCoverage(fixture.rules)
        for path in ["a/1", "a/2"] { coverage.add(try fixture.rules.trace(fixture.request(get(path)), fixture.state(for: get(path)))) }
        #expect(coverage.lcov == """
            TN:
            SF:firestore.rules
            BRDA:4,0,0,1
            BRDA:4,0,1,1
            BRDA:4,1,0,1
            BRDA:4,1,1,1
            BRDA:5,2,0,1
            BRDA:5,2,1,0
            BRDA:6,3,0,0
            BRDA:6,3,1,0
            BRF:8
            BRH:5
            DA:4,2
            DA:5,1
            DA:6,0
            DA:7,0
            LF:4
            LH:2
            end_of_record

            """)
    }

    @Test func `issues are written as the emulator answers them`() throws {
        let rules = try RuleSet(RulesFixture.text("match /a/{x} { allow get: if undefined == 1; }"))
        let text = rules.issues[0].json(in: rules.source).text()
        #expect(text == #"{"sourcePosition":{"fileName":"firestore.rules","line":3,"column":30,"currentOffset":110,"endOffset":118},"description":"Invalid variable name: undefined.","severity":"WARNING"}"#)
    }
}
