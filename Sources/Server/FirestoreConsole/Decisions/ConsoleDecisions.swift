// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreGateway
package import FirestoreRPC
import FirestoreRules
package import FirestoreServer
import FirestoreWire

/// Why rules grant or deny: of each call that was denied, and of requests that a page asks about (`/console/api/decisions`). The
/// requests judged here are not carried out.
///
/// A denied call is judged once more when it has ended, on the data as they are then. That costs the calls nothing, and in the
/// milliseconds between the two the data seldom change; if they do, the decision says `granted`.
package final class ConsoleDecisions: Sendable {
    private struct Budget {
        var second: UInt64 = 0
        var count = 0
        var running = 0
    }

    /// Denied calls that are explained, in a second and at a time.
    private static let mostPerSecond = 20
    private static let mostAtOnce = 4

    private let databases: DatabaseRegistry
    private let rules: RulesRegistry
    private let requests: ConsoleRequests
    private let strictLists: Bool
    private let budget = Mutex(Budget())

    package static let verbs = ["POST"]

    /// - Parameter strictLists: Whether the server rejects lists that are granted without proof.
    package init(databases: DatabaseRegistry, rules: RulesRegistry, requests: ConsoleRequests, strictLists: Bool = false) {
        self.databases = databases
        self.rules = rules
        self.requests = requests
        self.strictLists = strictLists
        requests.onDecision { [weak self] record in self?.explain(record) }
    }

    package func answer(_ exchange: any HTTPExchange) async throws(HTTPRefusal) {
        guard Self.verbs.contains(exchange.request.method) else { throw .notAllowed(exchange.request, verbs: Self.verbs) }
        let decision = try await ConsoleQuestion.answering { () async throws(FirestoreError) -> JSON in
            let body = try ConsoleQuestion.body(exchange)
            let question = try question(body)
            let service = try await databases.openExisting(question.database)
            let rules: RulesInForce.Rules
            if let text = try body.optional("rules")?.string() {
                rules = .init(compiling: RulesSource(text))
            } else {
                rules = self.rules.rules(for: question.database).current.rules
            }
            return try await judge(question, by: rules, in: service).json(showsValues: true)
        }
        exchange.respond(json: JSON.object([("decision", decision)]).bytes())
    }

    private func question(_ body: JSONNode) throws(FirestoreError) -> DecisionQuestion {
        guard let number = try body.optional("request") else { return try DecisionQuestion(body) }
        let id = try number.integer()
        guard id > 0, let record = requests.record(UInt64(id)), let request = record.request, let caller = requests.caller(of: record)
        else {
            throw FirestoreError(.notFound, "the server has not kept the request \(id); describe it, or make it again")
        }
        guard let question = try DecisionQuestion(request, of: record.method, caller: caller) else {
            throw .invalidArgument("no rules speak of \(record.method.rawValue)")
        }
        if let name = try body.optional("database") {
            let wanted = try ConsoleQuestion.database(try name.string())
            guard DatabaseName(wanted) == DatabaseName(question.database) else {
                throw FirestoreError(.notFound, "the request \(id) was made to another database")
            }
        }
        return question
    }

    // MARK: Denied calls

    private func explain(_ record: ConsoleRequestRecord) {
        guard enter() else { return }
        Task { [weak self] in
            await self?.explained(record)
            self?.budget.withLock { $0.running -= 1 }
        }
    }

    private func enter() -> Bool {
        let second = requests.settings.now() / 1_000_000_000
        return budget.withLock { budget in
            if budget.second != second { (budget.second, budget.count) = (second, 0) }
            guard budget.count < Self.mostPerSecond, budget.running < Self.mostAtOnce else { return false }
            budget.count += 1
            budget.running += 1
            return true
        }
    }

    private func explained(_ record: ConsoleRequestRecord) async {
        guard let request = record.request, let caller = requests.caller(of: record) else { return }
        do throws(FirestoreError) {
            guard let question = try DecisionQuestion(request, of: record.method, caller: caller) else { return }
            let service = try await databases.openExisting(question.database)
            let rules = rules.rules(for: question.database).current.rules
            if case .open = rules { return }
            let decision = try await judge(question, by: rules, in: service)
            record.set(decision: decision.json(showsValues: requests.settings.explainsValues))
            requests.changed(record)
        } catch {
            // Without a decision the page says what the call was answered.
        }
    }

    // MARK: Judging

    private func judge(
        _ question: DecisionQuestion, by rules: RulesInForce.Rules, in service: RuledService
    ) async throws(FirestoreError) -> ConsoleDecision {
        let ruleSet: RuleSet
        switch rules {
        case .open: return ConsoleDecision(granted: question.operation.summary)
        case .broken(let error): throw .invalidArgument("Error compiling rules:\n\(error)")
        case .ruleSet(let known): ruleSet = known
        }
        if case .administrator = question.caller { return ConsoleDecision(granted: question.operation.summary) }
        let now = requests.settings.clock.now()
        let time = TimestampValue(microsecondsSince1970: now - now % 1_000)
        let request = RulesRequest(
            question.operation, caller: question.caller, database: question.database, time: time, strictLists: strictLists)
        var sample: DecisionState.Sample = [:]
        let moment = try await read(question.keys, at: .latest, from: service, into: &sample)
        // Rules read a bounded number of documents.
        while true {
            let state = DecisionState(sample, question.writes, at: time, in: question.database)
            do throws(FirestoreError) {
                return ConsoleDecision(try ruleSet.trace(request, state))
            } catch {
                guard let key = state.missing else { throw error }
                _ = try await read([key], at: .past(moment), from: service, into: &sample)
            }
        }
    }

    private func read(
        _ keys: [DocumentKey], at moment: ReadMoment, from service: RuledService, into sample: inout DecisionState.Sample
    ) async throws(FirestoreError) -> DocumentVersion {
        let found = try await service.documentsForRules(keys, at: moment)
        for (key, document) in zip(keys, found.documents) { sample.updateValue(document, forKey: key) }
        return found.readTime
    }
}
