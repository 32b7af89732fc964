// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreRules

/// Decisions equal Google's emulator's: on the recorded cases of `Corpus`, and on random ones if `dev/oracle rules` made some.
struct RecordedDecisionTests {
    private static var corpus: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Corpus/decisions.jsonl")
    }

    struct Counts {
        var decisions = 0
        var granted = 0
        /// Lists that the emulator grants although one of their documents violates the condition.
        var refusedLists: [String] = []
        /// Lists that the emulator grants and Hearth does not, without such a document. The proof knows less than could be known.
        var unprovenLists: [String] = []
        var differences = 0
        /// Denials for which both sides can decide whether the condition was false or had no value.
        var outcomes = 0
        /// Denials with the same text.
        var sameTexts = 0
        /// The texts that differ, and how often.
        var texts: [String: Int] = [:]
    }

    /// The lists of the corpus that the emulator grants and Hearth does not, although no document violates the condition.
    static let notProven: [String] = []
    /// Those that a document violates.
    static let violated: [String] = []

    @Test func `the recorded decisions equal the emulator's`() throws {
        let counts = try compare(Self.corpus)
        #expect(counts.unprovenLists == Self.notProven)
        #expect(counts.refusedLists == Self.violated)
        #expect(counts.decisions >= 300, "\(counts)")
        #expect(counts.granted >= 50, "\(counts)")
    }

    @Test(.enabled(if: ProcessInfo.processInfo.environment["HEARTH_RULES_CASES"] != nil))
    func `random decisions equal the emulator's`() throws {
        let path = try #require(ProcessInfo.processInfo.environment["HEARTH_RULES_CASES"])
        let counts = try compare(URL(fileURLWithPath: path))
        print(
            "\(counts.decisions) decisions compared: \(counts.granted) grants, \(counts.refusedLists.count) lists refused with a reason, "
                + "\(counts.unprovenLists.count) without one, \(counts.outcomes) reasons of denials, \(counts.sameTexts) of them in the same words, \(counts.differences) differences")
        #expect(counts.unprovenLists.count <= counts.decisions / 2_000)
        for list in counts.unprovenLists { print("  not proven: \(list)") }
        for (text, count) in counts.texts.sorted(by: { ($1.value, $0.key) < ($0.value, $1.key) }).prefix(20) { print("  \(count) × \(text)") }
    }

    private func compare(_ file: URL) throws -> Counts {
        var counts = Counts()
        for line in try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")) {
            let recorded = try RecordedCase(line)
            compare(recorded, &counts)
            if counts.differences >= 40 { break }
        }
        return counts
    }

    private func compare(_ recorded: RecordedCase, _ counts: inout Counts) {
        let rules: RuleSet
        do throws(RulesError) {
            rules = try RuleSet(recorded.rules)
        } catch {
            counts.decisions += 1
            if recorded.errors == nil { report("refused: \(error)", recorded, nil, &counts) }
            return
        }
        if let errors = recorded.errors {
            counts.decisions += 1
            report("compiled, the emulator: \(errors)", recorded, nil, &counts)
            return
        }
        for request in recorded.requests {
            counts.decisions += 1
            counts.granted += request.isGranted ? 1 : 0
            do {
                try compare(request, recorded, rules, &counts)
            } catch {
                report("\(error)", recorded, request, &counts)
            }
        }
    }

    private func report(_ what: String, _ recorded: RecordedCase, _ request: RecordedCase.Request?, _ counts: inout Counts) {
        counts.differences += 1
        var text = "seed \(recorded.seed): \(what)\n\(request?.text ?? "")"
        // The statement and what it calls, if they can be identified.
        let lines = recorded.rules.split(separator: "\n").map(String.init)
        let collection = request?.text.range(of: #"c[0-9]+\b"#, options: .regularExpression).map { String(request?.text[$0] ?? "") }
        let own = collection.map { collection in lines.filter { $0.hasPrefix("match /\(collection)/") || $0.hasPrefix("function") } } ?? lines
        text += "\n" + own.joined(separator: "\n")
        Issue.record(Comment(rawValue: text))
    }

    private func compare(_ request: RecordedCase.Request, _ recorded: RecordedCase, _ rules: RuleSet, _ counts: inout Counts) throws {
        let question = RulesRequest(request.operation, caller: request.caller, database: database, time: now)
        let state: MemoryState
        if case .commit(let writes) = request.operation { state = MemoryState(recorded.documents, writes: writes) } else { state = MemoryState(recorded.documents) }
        let trace = try rules.trace(question, state)
        let isGranted = trace.decision.isGranted
        if isGranted != request.isGranted {
            if request.isGranted, case .list(let query) = request.operation {
                var violation = ListViolation(query, documents: recorded.documents)
                let found = try violation.find { try rules.grants($0, of: query, caller: request.caller, reading: recorded.documents) }
                let row = "seed \(recorded.seed): \(request.text)"
                if found != nil { counts.refusedLists.append(row) } else { counts.unprovenLists.append(row) }
                return
            }
            report("\(trace.explanation)\nthe emulator: \(request.isGranted ? "granted" : request.outcome)", recorded, request, &counts)
            return
        }
        // Of several statements or operations the emulator reports others as the last. What a list does not prove it sometimes calls
        // false, and what needs more than the first of its two passes an evaluation error.
        if case .commit(let writes) = request.operation, writes.count > 1 { return }
        guard !isGranted, trace.operations.count == 1, trace.operations[0].statements.count == 1,
            trace.operations[0].facts.query == nil, !request.outcome.hasPrefix("evaluation error")
        else { return }
        let outcome = trace.operations[0].statements[0].outcome
        // The emulator knows a state after a commit that cannot be applied.
        if outcome.message.contains("The commit cannot be applied.") { return }
        let isFalse = if case .notGranted = outcome { true } else { false }
        counts.outcomes += 1
        if isFalse != (request.outcome == "false") {
            report("\(trace.explanation)\nthe emulator: \(request.outcome)", recorded, request, &counts)
        } else if outcome.message == request.outcome {
            counts.sameTexts += 1
        } else {
            counts.texts["\(outcome.message) | \(request.outcome)", default: 0] += 1
        }
    }
}
