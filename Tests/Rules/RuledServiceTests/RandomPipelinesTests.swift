// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import FirestoreEngine
import TestSupport
import Testing

@testable import FirestoreEnforcement

/// Random rules and pipelines: what is granted would be the same if the documents that the caller may not read did not exist (PL-239).
struct RandomPipelinesTests {
    private static let names = ["a", "b", "d", "e", "f", "g"]
    private static let users = [nil, "u1", "u2"]

    /// Pipelines over the collection `c`, in their text form.
    private struct Texts {
        let read: Condition
        let uid: String?
        var random: SeededRandom

        private mutating func pick<Element>(_ elements: [Element]) -> Element { elements[random.number(elements.count)] }

        /// What grants the rules, as far as a filter can say it; often less, so that many pipelines are denied.
        private mutating func granting(_ condition: Condition) -> String {
            switch condition {
            case .open: random.number(12) == 0 ? "not(equal(open, true))" : "equal(open, true)"
            case .owner: random.number(12) == 0 ? "true" : "equal(owner, \"\(uid ?? "u1")\")"
            case .above(let bound): "\(pick(["greater_than", "greater_than", "greater_than_or_equal"]))(n, \(bound))"
            case .and(let left, let right): "and(\(granting(left)), \(granting(right)))"
            case .or(let left, let right): random.number(2) == 0 ? "or(\(granting(left)), \(granting(right)))" : granting(left)
            case .always, .never, .signedIn, .level, .hasRole: "true"
            }
        }

        private mutating func condition(_ depth: Int) -> String {
            switch random.number(depth == 0 ? 6 : 9) {
            case 0: "equal(open, \(pick(["true", "false"])))"
            case 1: "equal(owner, \"\(pick(["u1", "u2", "u3"]))\")"
            case 2: "\(pick(["less_than", "greater_than", "not_equal"]))(n, \(random.number(5)))"
            case 3: "equal_any(owner, [\"u1\", \"\(pick(["u2", "u3"]))\"])"
            case 4: "equal(mod(n, 2), 1)"
            case 5: "exists(n)"
            case 6: "and(\(condition(depth - 1)), \(condition(depth - 1)))"
            case 7: "or(\(condition(depth - 1)), \(condition(depth - 1)))"
            default: "not(\(condition(depth - 1)))"
            }
        }

        /// A source, and perhaps the filters that it needs.
        private mutating func start() -> String {
            switch random.number(8) {
            case 0:
                let keys = (0...random.number(2)).map { _ in "/c/\(pick(RandomPipelinesTests.names))" }
                return "documents(\(Set(keys).sorted().joined(separator: ", ")))"
            case 1: return "collection(/c)"
            case 2: return "collection(/c).where(\(condition(1)))"
            case 3: return "collection(/c).where(\(condition(1))).where(\(granting(read)))"
            default: return "collection(/c).where(\(granting(read)))"
            }
        }

        private mutating func stage() -> String {
            switch random.number(14) {
            case 0: "where(\(condition(2)))"
            case 1: "select(n, owner)"
            case 2: "add_fields(add(n, 1) as m)"
            case 3: "sort(n \(pick(["asc", "desc"])))"
            case 4: "limit(\(1 + random.number(3)))"
            case 5: "offset(\(random.number(2)))"
            case 6: "aggregate(count() as k, sum(n) as s, minimum(n) as least)"
            case 7: "aggregate(count() as k, array_agg(n) as all, groups: [owner])"
            case 8: "distinct(owner)"
            case 9: "union(\(start()))"
            case 10: "let(n as v).add_fields(array(\(start()).where(less_than(n, $v)).select(n)) as below)"
            case 11: "add_fields(scalar(\(start()).aggregate(count() as k)) as k)"
            case 12: "remove_fields(open)"
            default: "sort(owner, n desc).limit(2)"
            }
        }

        mutating func next() -> String { ([start()] + (0..<random.number(4)).map { _ in stage() }).joined(separator: ".") }
    }

    private func rows(_ pipeline: PipelineRequest, _ service: any PipelineService, _ context: RequestContext) async throws -> [String] {
        try await service.execute(pipeline, context: context).rows.map { "\($0.name ?? "-") \(try $0.fields.map)" }
    }

    private func engine(with items: [String: Item]) async throws -> Engine {
        let engine = try Engine.open(EngineConfiguration(location: EngineStores.place(), databaseID: testDatabase))
        if !items.isEmpty {
            _ = try await engine.commit(items.sorted { $0.key < $1.key }.map { $1.write("c/\($0)") }, context: .embedded)
        }
        return engine
    }

    @Test(arguments: 0..<TestScale.pick(quick: 30, full: 1_000))
    func `what is granted depends on readable documents only`(seed: Int) async throws {
        var random = SeededRandom(UInt64(seed))
        let read = Condition.random(3, &random)
        let database = try await RuledDatabase("match /c/{id} { allow read: if \(read.text("resource")); }", onFile: seed % 2 == 0)
        var world = World()
        for name in Self.names where random.number(5) > 0 {
            let item = Item(&random)
            world.items[name] = item
            try await database.fill(item.write("c/\(name)"))
        }
        for uid in ["u1", "u2"] where random.number(2) == 0 {
            world.levels[uid] = Int64(random.number(3))
            try await database.fill(.set("roles/\(uid)", ("level", .integer(world.levels[uid] ?? 0))))
        }
        var granted = 0
        for uid in Self.users {
            let readable = world.items.filter { read.value($0.value, uid, world) == true }
            let plain = try await engine(with: readable)
            var texts = Texts(read: read, uid: uid, random: random)
            for _ in 0..<40 {
                let text = texts.next()
                let pipeline = try PipelineText.parse(text)
                let context: RequestContext = uid.map { .user($0) } ?? .anonymous
                let found: [String]
                do {
                    found = try await rows(pipeline, database.service, context)
                } catch let error as FirestoreError where error.code == .permissionDenied {
                    continue
                }
                granted += 1
                let expected = try await rows(pipeline, plain, .embedded)
                #expect(found == expected, "\(text) for \(uid ?? "-") under \(read.text("resource"))")
            }
            random = texts.random
            await plain.shutdown()
        }
        await database.close()
        switch read {
        case .always: #expect(granted == 40 * Self.users.count)
        case .never: #expect(granted == 0)
        default: break
        }
    }
}
