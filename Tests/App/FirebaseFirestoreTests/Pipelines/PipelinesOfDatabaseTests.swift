// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Pipelines as an app runs them, on a database.
@Suite(.only(.pipelines)) struct PipelinesOfDatabaseTests {
    let db = Scratch.firestore()

    private func ids(_ pipeline: Pipeline) async throws -> [String?] { try await pipeline.execute().results.map(\.id) }

    // PT-145, PT-183, PT-153, PT-154
    @Test func `sources give documents, and projections rows`() async throws {
        let shop = try await Shop.fill(db)
        let all = try await db.pipeline().collection("shop").execute()
        #expect(all.results.map(\.id) == ["p1", "p2", "p3", "p4", "p5"])
        #expect(all.results.allSatisfy { $0.ref != nil && $0.createTime != nil && $0.updateTime == $0.createTime })
        #expect(all.executionTime.seconds >= all.results[0].createTime?.seconds ?? .max)
        #expect(try await ids(db.pipeline().collectionGroup("shop")).count == 5)
        #expect(try await ids(db.pipeline().database()).count == 5)
        #expect(try await ids(db.pipeline().documents([shop.document("p4"), shop.document("nope")])) == ["p4"])
        let named = try await db.pipeline().collection(shop).select([Field("k"), Field(FieldPath.documentID())]).limit(1).execute().results[0]
        #expect(named.ref == shop.document("p1") && named.createTime == nil && named.data.count == 1 && named.get("k") as? String == "tea")
        let plain = try await db.pipeline().collection(shop).select(["k"]).execute().results
        #expect(plain.allSatisfy { $0.ref == nil && $0.updateTime == nil } && plain[4].data.isEmpty)
    }

    // PT-146, PT-147, PT-160, PT-190
    @Test func `conditions`() async throws {
        let source = db.pipeline().collection(try await Shop.fill(db))
        #expect(try await ids(source.where(Field("c").equal(3))) == ["p1", "p2"])
        #expect(try await ids(source.where(Field("c").notEqual(3))) == ["p3", "p4", "p5"])
        #expect(try await ids(source.where(Field("k").equalAny(["rye", "oat"]) || Field("c").isType("string"))) == ["p3", "p4", "p5"])
        #expect(try await ids(source.where(!Field("k").exists())) == ["p5"])
        #expect(try await ids(source.where(Field("g.h").equal(1) && Field("k").greaterThan("t"))) == ["p1"])
        #expect(try await ids(source.where(Field("c").between(1, 5) ^ Field("k").equal("oat"))) == ["p1", "p2", "p4"])
        let unknown = await failure { try await source.where(Field("k").equal(Variable("missing"))).execute() }
        #expect(isFailure(unknown, .invalidArgument, naming: "missing"))
    }

    // PT-150, PT-151, PT-180, PT-181, PT-182
    @Test func `orders and windows`() async throws {
        let source = db.pipeline().collection(try await Shop.fill(db))
        #expect(try await ids(source.sort([Field("c").ascending()])) == ["p3", "p4", "p1", "p2", "p5"])
        #expect(try await ids(source.sort([Field("c").descending()]).limit(2)) == ["p5", "p1"])
        #expect(try await ids(source.offset(4).limit(3)) == ["p5"])
        #expect(try await ids(source.limit(0)).isEmpty)
        #expect(try await ids(source.sample(count: 2)).count == 2)
        #expect(try await ids(source.sample(percentage: 1)).count == 5)
    }

    // PT-155, PT-156, PT-157, PT-159, PT-177
    @Test func `shapes`() async throws {
        let source = db.pipeline().collection(try await Shop.fill(db)).limit(1)
        let nested = try await source.select(["g.h"]).execute().results[0]
        #expect((nested.data["g"] as? [String: Any])?["h"] as? Int == 1 && nested.get("g.h") as? Int == 1)
        let flat = try await source.select([Field("g.h").as("`g.h`")]).execute().results[0]
        #expect(flat.data["g.h"] as? Int == 1 && flat.get(FieldPath(["g.h"])) as? Int == 1)
        let added = try await source.addFields([Constant(1).as("g.i"), Constant("new").as("state")]).execute().results[0]
        #expect(added.get("g.h") as? Int == 1 && added.get("g.i") as? Int == 1 && added.id == "p1" && added.get("state") as? String == "new")
        let removed = try await source.removeFields(["g.h", "nope"]).execute().results[0]
        #expect((removed.data["g"] as? [String: Any])?.isEmpty == true)
        #expect(try await source.replace(with: "g").execute().results[0].data["h"] as? Int == 1)
    }

    // PT-161, PT-167, PT-172, PT-173, PT-175
    @Test func `groups, distinct values and elements`() async throws {
        let source = db.pipeline().collection(try await Shop.fill(db))
        let totals = try await source.aggregate([
            CountAll().as("n"), Field("c").count().as("m"), Field("c").countDistinct().as("e"), Field("k").equal("tea").countIf().as("t"),
        ]).execute().results[0]
        #expect(totals.get("n") as? Int == 5 && totals.get("m") as? Int == 3 && totals.get("e") as? Int == 2 && totals.get("t") as? Int == 2)
        let groups = try await source.aggregate([CountAll().as("n")], groups: [Field("k")]).execute().results
        #expect(groups.map { $0.get("k") as? String } == [nil, "oat", "rye", "tea"] && groups.map { $0.get("n") as? Int } == [1, 1, 1, 2])
        #expect(try await source.distinct(["k"]).execute().results.count == 4)
        let elements = try await source.unnest(Field("l").as("e"), indexField: "i").where(Field("i").greaterThanOrEqual(0)).execute().results
        #expect(elements.map(\.id) == ["p3", "p3"] && elements.map { $0.get("e") as? Int } == [1, 2])
    }

    // PT-179, PT-185, PT-187, PT-188, PT-192
    @Test func `pipelines in pipelines`() async throws {
        let shop = try await Shop.fill(db)
        try await shop.document("p1").collection("log").document("a").setData(["n": 1])
        try await shop.document("p1").collection("log").document("b").setData(["n": 2])
        let source = db.pipeline().collection(shop)
        let doubled = try await source.union(with: source).aggregate([CountAll().as("n")]).execute().results[0]
        #expect(doubled.get("n") as? Int == 10)
        let sameKind = source.where(Field("k").equal(Variable("kk"))).select(["c"]).toArrayExpression()
        let joined = try await source.define([Field("k").as("kk")]).addFields([sameKind.as("cs")]).execute().results[0]
        #expect(joined.get("cs") as? [Double] == [3, 3])
        let none = source.where(Field("k").equal("none")).select(["c"]).toScalarExpression()
        #expect(try await source.limit(1).select([none.as("x")]).execute().results[0].get("x") == nil)
        let several = await failure { try await source.select([source.toScalarExpression().as("x")]).execute() }
        #expect(isFailure(several, .invalidArgument, naming: "multiple results"))
        let log = Subcollection("log").aggregate([CountAll().as("n")]).toScalarExpression()
        #expect(try await source.select([log.as("n")]).execute().results.map { $0.get("n") as? Int } == [2, 0, 0, 0, 0])
    }

    // PT-208
    @Test func `a query and its pipeline find the documents that the meaning of each says`() async throws {
        let shop = try await Shop.fill(db)
        let pipelines = db.pipeline()
        #expect(try await ids(pipelines.create(from: shop.whereField("c", isGreaterThan: 1))) == ["p1", "p2"])
        #expect(try await ids(pipelines.create(from: shop.whereField("c", isNotEqualTo: 3))) == ["p3", "p4", "p5"])
        #expect(try await ids(pipelines.create(from: shop.order(by: "k"))) == ["p4", "p3", "p1", "p2"])
        let queries = [
            shop.order(by: "k").start(at: ["rye"]), shop.order(by: "k").start(after: ["rye"]), shop.order(by: "k").end(at: ["rye"]),
            shop.order(by: "k").end(before: ["rye"]), shop.order(by: "k", descending: true).limit(to: 2), shop.order(by: "k").limit(toLast: 3),
            shop.order(by: "c").start(at: [NSNull()]), shop.order(by: "c").end(at: [NSNull()]), shop.whereField("l", arrayContains: 2),
            shop.whereField("k", in: ["tea", "oat"]), shop.whereField("c", isEqualTo: NSNull()), db.collectionGroup("shop"),
        ]
        for query in queries {
            let expected = try await query.getDocuments().documents.map(\.documentID)
            #expect(try await ids(pipelines.create(from: query)) == expected, "\(query)")
        }
        let middle = try await shop.document("p1").getDocument()
        for query in [shop.order(by: "k").start(atDocument: middle), shop.order(by: "k").end(atDocument: middle)] {
            #expect(try await ids(pipelines.create(from: query)) == query.getDocuments().documents.map(\.documentID))
        }
    }

    // PT-206
    @Test func `a moment of the past`() async throws {
        let shop = try await Shop.fill(db)
        let before = try await db.pipeline().collection(shop).execute().executionTime
        try await shop.document("p6").setData(["k": "new"])
        #expect(try await db.pipeline().collection(shop).execute(at: before).results.count == 5)
        #expect(try await ids(db.pipeline().collection(shop)).count == 6)
    }

    // PT-207
    @Test func `a transaction whose pipeline would give another result runs again`() async throws {
        let shop = try await Shop.fill(db)
        let count = db.pipeline().collection(shop).aggregate([CountAll().as("n")])
        let attempts = Collector<Int>()
        // The commit of a transaction may overtake a write that is not acknowledged yet.
        let acknowledged = DispatchSemaphore(value: 0)
        try await db.runTransaction { transaction, errorPointer in
            do {
                let counted = try transaction.execute(count).results[0].get("n") as? Int ?? 0
                attempts.append(counted)
                if attempts.elements.count == 1 {
                    shop.document("p6").setData(["k": "new"]) { _ in acknowledged.signal() }
                    #expect(acknowledged.wait(timeout: .now() + 10) == .success)
                }
                transaction.setData(["n": counted], forDocument: self.db.document("totals/shop"))
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
        #expect(attempts.elements == [5, 6])
        #expect(try await db.document("totals/shop").getDocument()["n"] as? Int == 6)
    }

    @Test func `a pipeline in a transaction must come before its writes`() async throws {
        let shop = try await Shop.fill(db)
        let pipeline = db.pipeline().collection(shop)
        let foreign = Scratch.firestore().pipeline().collection("shop")
        let errors = Collector<(any Error)?>()
        _ = await failure {
            try await db.runTransaction { transaction, errorPointer in
                do { try transaction.execute(foreign) } catch { errors.append(error) }
                transaction.deleteDocument(shop.document("p1"))
                do { try transaction.execute(pipeline) } catch { errors.append(error) }
                return nil
            }
        }
        #expect(errors.elements.count == 2 && errors.elements.allSatisfy { isFailure($0, .invalidArgument) })
    }

    @Test func `the results of many pages come in order`() async throws {
        let batch = db.batch()
        for number in 0..<30 {
            let text = String(repeating: "x", count: 100_000)
            batch.setData(["n": number, "text": text], forDocument: db.collection("large").document(String(format: "%02d", number)))
        }
        try await batch.commit()
        var numbers: [Int] = []
        for try await row in db.pipeline().collection("large").select(["n", "text"]).results() { numbers.append(row.get("n") as? Int ?? -1) }
        #expect(numbers == Array(0..<30))
    }

    @Test func `an explanation names the stages`() async throws {
        let pipeline = db.pipeline().collection(try await Shop.fill(db)).where(Field("c").equal(3)).limit(1)
        let planned = try await pipeline.explain(analyze: false).text
        let analyzed = try await pipeline.explain().text
        #expect(planned.contains("shop") && analyzed.utf8.count > planned.utf8.count && !analyzed.hasPrefix("{"))
    }

    // PT-201, PT-202, PT-37
    @Test func `what the database rejects is an invalid argument`() async throws {
        let source = db.pipeline().collection(try await Shop.fill(db))
        let wrong = [
            source.rawStage(name: "nonsense", params: []), source.rawStage(name: "select", params: [Field("k")]),
            source.where(FunctionExpression(functionName: "nonsense", args: []).asBoolean()), source.select([countInSelect().as("n")]),
            source.select([switchOn(Field("k").equal("none"), Constant(1)).as("x")]), source.aggregate([]), source.limit(-1),
            source.aggregate([CountAll().as("n")], groups: [Field("g.h")]), Pipeline.rejectedSource(of: db),
        ]
        for pipeline in wrong {
            let error = await failure { try await pipeline.execute() }
            #expect(isFailure(error, .invalidArgument))
        }
    }

    /// An aggregate function where only expressions of one row may stand.
    private func countInSelect() -> FunctionExpression { FunctionExpression(functionName: "count", args: []) }
}

extension Pipeline {
    /// A source behind another stage.
    fileprivate static func rejectedSource(of db: Firestore) -> Pipeline {
        db.pipeline().collection("shop").rawStage(name: "database", params: [])
    }
}
