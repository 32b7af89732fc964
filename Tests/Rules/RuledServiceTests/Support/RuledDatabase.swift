// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import TestSupport
import Testing

@testable import FirestoreEnforcement
@testable import FirestoreRules

let testDatabase = DatabaseID(projectID: "test")

/// A database under rules, and the same without.
struct RuledDatabase {
    let engine: Engine
    let rules: RulesInForce
    let enforcement: RuleEnforcement
    let service: RuledService
    let clock: ManualClock?
    private let folder: ScratchFolder?

    /// On a file, rules read documents immediately; in memory they wait for them.
    init(
        _ body: String, onFile: Bool = false, clock: ManualClock? = nil, settings: RuleEnforcement.Settings = .init(),
        countsCoverage: Bool = false
    ) async throws {
        folder = onFile ? try ScratchFolder() : nil
        self.clock = clock
        let time: any WallClock = clock ?? SystemClock()
        engine = try Engine.open(EngineConfiguration(
            location: folder.map { .file(path: $0.file()) } ?? EngineStores.place(), durability: .relaxed, databaseID: testDatabase, clock: time))
        rules = RulesInForce(.ruleSet(try Self.ruleSet(body)), countsCoverage: countsCoverage)
        var settings = settings
        settings.clock = time
        enforcement = RuleEnforcement(rules, database: testDatabase, settings: settings)
        service = RuledService(engine, enforcement)
    }

    /// Grants nothing.
    private static let closed = "allow read, write: if false;"

    static func ruleSet(_ body: String) throws -> RuleSet {
        try RuleSet(
            "rules_version = '2';\nservice cloud.firestore { match /databases/{db}/documents {\n\(body.isEmpty ? closed : body)\n}}"
        )
    }

    func replaceRules(_ body: String) throws { rules.replace(with: .ruleSet(try Self.ruleSet(body))) }

    /// Writes as an administrator.
    func fill(_ writes: Write...) async throws { _ = try await engine.commit(writes, context: .embedded) }

    func close() async {
        await service.shutdown()
        #expect(enforcement.documents.count == 0)
    }
}

extension RequestContext {
    static let anonymous = RequestContext(caller: .anonymous)

    static func user(_ id: String, _ claims: (String, Value)...) -> RequestContext {
        RequestContext(caller: .user(id: id, claims: FieldMap([("sub", .string(id))] + claims)))
    }
}

func key(_ path: String) -> DocumentKey { DocumentKey(trusted: path) }
