// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreRules
import TestSupport
import Testing

@testable import FirestoreEnforcement

/// Random rules, data and operations against a model that looks at every document: nothing that the model denies gets out.
struct RandomRulesTests {
    /// One run: a database, its model, and listeners.
    struct Run {
        let database: RuledDatabase
        let read: Condition
        let write: Condition
        var random: SeededRandom
        var world = World()
        /// What every commit left, by its time.
        var history: [(time: DocumentVersion, world: World)] = []
        var listeners: [(sink: RecordingSink, uid: String?, target: WatchTarget)] = []

        init(seed: UInt64) async throws {
            random = SeededRandom(seed)
            read = .random(3, &random)
            write = .random(3, &random)
            database = try await RuledDatabase(
                "match /c/{id} { allow read: if \(read.text("resource")); allow write: if \(write.text("request.resource")); }",
                onFile: seed % 2 == 0)
        }

        mutating func context() -> (RequestContext, uid: String?) {
            let uid = [nil, "u1", "u2"][random.number(3)]
            return (uid.map { .user($0) } ?? .anonymous, uid)
        }

        mutating func item() -> String { ["a", "b", "d", "e"][random.number(4)] }

        mutating func query() -> StructuredQuery {
            let query = StructuredQuery.collection("c")
            switch random.number(5) {
            case 0: return query.filter("open", .equal, .boolean(true))
            case 1: return query.filter("owner", .equal, .string(["u1", "u2"][random.number(2)]))
            case 2: return query.filter("n", .greaterThan, .integer(Int64(random.number(4))))
            case 3: return query.filter("open", .equal, .boolean(true)).window(limit: 2)
            default: return query
            }
        }

        func mayRead(_ item: Item?, _ uid: String?, in world: World) -> Bool { read.value(item, uid, world) == true }

        func expect(_ documents: [Document], _ uid: String?, in world: World, _ what: String) {
            for document in documents {
                #expect(mayRead(Item(document), uid, in: world), "\(what): \(document.key.path) for \(uid ?? "nobody"), \(read)")
            }
        }

        // MARK: Steps

        mutating func step() async throws {
            switch random.number(10) {
            case 0...3: try await administrate()
            case 4, 5: try await write()
            case 6: try await get()
            case 7: try await list()
            default: listen()
            }
        }

        mutating func commit(_ writes: [Write], as context: RequestContext, _ after: World) async throws(FirestoreError) {
            let time = try await database.service.commit(writes, context: context).commitTime
            world = after
            history.append((time, after))
        }

        private mutating func administrate() async throws {
            var (after, writes) = (world, [Write]())
            for _ in 0...random.number(2) {
                switch random.number(4) {
                case 0:
                    let uid = ["u1", "u2"][random.number(2)]
                    let level = random.number(4)
                    after.levels[uid] = level == 0 ? nil : Int64(level - 1)
                    writes.append(level == 0 ? .delete("roles/\(uid)") : .set("roles/\(uid)", ("level", .integer(Int64(level - 1)))))
                case 1:
                    let name = item()
                    after.items[name] = nil
                    writes.append(.delete("c/\(name)"))
                default:
                    let name = item()
                    let item = Item(&random)
                    after.items[name] = item
                    writes.append(item.write("c/\(name)"))
                }
            }
            try await commit(writes, as: .embedded, after)
        }

        private mutating func write() async throws {
            let (context, uid) = context()
            let name = item()
            let item = Item(&random)
            let isGranted = write.value(item, uid, world) == true
            var after = world
            after.items[name] = item
            do throws(FirestoreError) {
                try await commit([item.write("c/\(name)")], as: context, after)
                #expect(isGranted, "a write of \(item) was granted to \(uid ?? "nobody"): \(write)")
            } catch {
                #expect(error.code == .permissionDenied && !isGranted, "\(error): \(write)")
            }
        }

        private mutating func get() async throws {
            let (context, uid) = context()
            let names = (0...random.number(2)).map { _ in item() }
            let isGranted = names.allSatisfy { mayRead(world.items[$0], uid, in: world) }
            let keys = names.map { key("c/\($0)") }
            do throws(FirestoreError) {
                if let now = try database.service.documentsNow(keys, options: .acknowledged(), context: context) {
                    #expect(now.documents.map { Item($0) } == names.map { world.items[$0] })
                }
                let found = try await database.service.documents(keys, context: context)
                #expect(isGranted)
                #expect(found.documents.map { Item($0) } == names.map { world.items[$0] })
            } catch {
                #expect(error.code == .permissionDenied && !isGranted, "\(error) for \(uid ?? "nobody"): \(read)")
            }
        }

        private mutating func list() async throws {
            let (context, uid) = context()
            let query = query()
            let past = history.isEmpty || random.number(2) == 0 ? nil : history[random.number(history.count)]
            do throws(FirestoreError) {
                let options: ReadOptions = past.map { .past($0.time) } ?? .latest
                let found = try await database.service.run(query, options: options, context: context).documents
                expect(found, uid, in: past?.world ?? world, "a query")
            } catch {
                #expect(error.code == .permissionDenied, "\(error)")
            }
        }

        private mutating func listen() {
            let (context, uid) = context()
            let target: WatchTarget = random.number(2) == 0 ? .query(query()) : .document(key("c/\(item())"))
            let sink = RecordingSink()
            _ = database.service.watch(target, context: context, sink: sink)
            listeners.append((sink, uid, target))
        }

        // MARK: End

        func check() async throws {
            await eventually("every listener is answered") {
                listeners.allSatisfy { !$0.sink.batches.isEmpty || !$0.sink.errors.isEmpty }
            }
            _ = try await database.service.watchTime(context: .embedded)
            for (sink, uid, target) in listeners {
                #expect(sink.complaints == [])
                #expect(sink.errors.allSatisfy { $0.code == .permissionDenied })
                for batch in sink.batches {
                    let world = history.last { $0.time <= batch.readTime }?.world ?? World()
                    let shown = batch.changes.compactMap { if case .update(let document) = $0 { document } else { nil } }
                    expect(shown, uid, in: world, "a batch")
                    expect(batch.departed, uid, in: world, "a departed document")
                }
                // Idle listeners may learn of a changed role later.
                guard sink.errors.isEmpty, case .document(let key) = target else { continue }
                let known = Item(sink.documents[key])
                let isAllowed = mayRead(known, uid, in: world)
                if !isAllowed { await eventually("a denial of \(key.path)") { !sink.errors.isEmpty } }
                if isAllowed { #expect(known == world.items[key.id]) }
            }
        }
    }

    @Test(arguments: 0..<TestScale.pick(quick: 40, full: 1_000))
    func `no denied document reaches a caller`(seed: Int) async throws {
        var run = try await Run(seed: UInt64(seed))
        for _ in 0..<60 { try await run.step() }
        try await run.check()
        await run.database.close()
    }

    /// What a service answers, to compare.
    private static func answer(_ body: () async throws(FirestoreError) -> String) async -> String {
        do throws(FirestoreError) { return try await body() } catch { return "\(error.code): \(error.message)" }
    }

    @Test(arguments: 0..<TestScale.pick(quick: 10, full: 200))
    func `rules that grant everything change nothing`(seed: Int) async throws {
        let database = try await RuledDatabase("match /{all=**} { allow read, write: if true; }", onFile: seed % 2 == 0)
        let plain = try await RuledDatabase("", onFile: seed % 2 == 0)
        var random = SeededRandom(UInt64(seed))
        let services: [(any DocumentService, RequestContext)] = [(database.service, .anonymous), (plain.engine, .embedded)]
        let sinks = services.map { service, context in
            let sink = RecordingSink()
            let query = StructuredQuery.collection("c").filter("open", .equal, .boolean(true)).window(limit: 2)
            _ = service.watch(.query(query), context: context, sink: sink)
            return sink
        }
        for _ in 0..<60 {
            let (choice, name, item) = (random.number(8), ["a", "b", "d"][random.number(3)], Item(&random))
            let path = "c/\(name)"
            var answers: [String] = []
            for (service, context) in services {
                answers.append(await Self.answer { () throws(FirestoreError) in
                    switch choice {
                    case 0: return "\(try await service.commit([item.write(path)], context: context).results.count)"
                    case 1:
                        let delete = Write.delete(path, precondition: .exists(true))
                        return "\(try await service.commit([delete], context: context).results.count)"
                    case 2:
                        let response = try await service.commit([.increment(path), .patch("c/b", "x", .null)], context: context)
                        return "\(response.results.map(\.transformResults))"
                    case 3: return "\(try await service.documents([key(path)], context: context).documents.map { Item($0) })"
                    case 4:
                        let found = try await service.run(.collection("c").ordered(by: "n", .descending), context: context)
                        return "\(found.documents.map { "\($0.key.path) \(String(describing: Item($0)))" })"
                    case 5:
                        let sum = [Aggregation(.sum(FieldPathSegments("n")))]
                        let response = try await service.aggregate(.collection("c"), sum, options: .latest, context: context)
                        return "\(response.values.map(\.value))"
                    case 6:
                        let id = try await service.beginTransaction(.readWrite(retrying: nil), context: context)
                        _ = try await service.documents([key(path)], options: .transaction(id), context: context)
                        return "\(try await service.commit([item.write(path)], in: id, context: context).results.count)"
                    default:
                        let keys = try await service.documentKeys(
                            in: CollectionPath(trusted: "c"), after: nil, limit: 5, options: .latest, context: context)
                        return "\(keys.keys.map(\.path))"
                    }
                })
            }
            #expect(answers[0] == answers[1])
        }
        for (service, context) in services { _ = try await service.watchTime(context: context) }
        await eventually("the listeners agree") { sinks[0].paths == sinks[1].paths }
        #expect(sinks.allSatisfy { $0.errors.isEmpty })
        await plain.close()
        await database.close()
    }
}
