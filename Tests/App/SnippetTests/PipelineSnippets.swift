// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreTesting
import Foundation
import Testing

/// The code of the article "Ask with pipelines" and of docs/guides/pipelines.md.
@Suite struct PipelineSnippets {
    @Test func `conditions, shapes and groups`() async throws {
        let db = try TestFirestore().firestore
        _ = try await StartSnippets.fill(db)
        // snippet: pipelines-first
        let pipeline = db.pipeline().collection("trails")
            .where(Field("region").equal("Alps") && Field("kilometers").lessThan(20))
            .sort([Field("kilometers").descending()])
            .select(["name", "kilometers"])
        for row in try await pipeline.execute().results {
            print(row.get("name") ?? "", row.get("kilometers") ?? 0)
        }
        // end snippet
        #expect(try await pipeline.execute().results.map { $0.get("name") as? String } == ["Ridge Walk", "Lake Loop"])

        // snippet: pipelines-groups
        struct Region: Codable {
            var region: String
            var trails: Int
            var average: Double
        }
        let regions = try await db.pipeline().collection("trails")
            .aggregate([CountAll().as("trails"), Field("kilometers").average().as("average")], groups: [Field("region")])
            .sort([Field("trails").descending()])
            .execute().results(as: Region.self)
        for region in regions { print(region.region, region.trails, region.average) }
        // end snippet
        #expect(regions.map(\.region) == ["Alps", "Harz"] && regions.map(\.average) == [8.75, 4])

        // snippet: pipelines-absent
        let undecided = db.pipeline().collection("trails")
            .where(Field("open").isAbsent() || Field("open").equal(Constant.nil))
        // end snippet
        #expect(try await undecided.execute().results.count == 3)
    }

    @Test func `other pipelines inside`() async throws {
        let db = try TestFirestore().firestore
        let trails = try await StartSnippets.fill(db)
        try await trails.document("ridge").collection("reports").document("r1").setData(["stars": 5])
        try await trails.document("ridge").collection("reports").document("r2").setData(["stars": 4])
        try await trails.document("moor").collection("reports").document("r3").setData(["stars": 2])
        // snippet: pipelines-subcollection
        let stars = Subcollection("reports").aggregate([Field("stars").average().as("stars")]).toScalarExpression()
        let popular = db.pipeline().collection("trails")
            .addFields([stars.as("stars")])
            .where(Field("stars").greaterThanOrEqual(4))
        // end snippet
        #expect(try await popular.execute().results.map(\.id) == ["ridge"])

        // snippet: pipelines-join
        let sameRegion = db.pipeline().collection("trails")
            .where(Field("region").equal(Variable("region")))
            .select(["name"])
        let neighbors = db.pipeline().collection("trails")
            .define([Field("region").as("region")])
            .addFields([sameRegion.toArrayExpression().as("sameRegion")])
        // end snippet
        let lake = try #require(try await neighbors.execute().results.first)
        #expect(lake.id == "lake" && lake.get("sameRegion") as? [String] == ["Lake Loop", "Ridge Walk"])
    }

    @Test func `queries become pipelines, and results values`() async throws {
        let db = try TestFirestore().firestore
        _ = try await StartSnippets.fill(db)
        // snippet: pipelines-query
        let alps = db.collection("trails").whereField("region", isEqualTo: "Alps").order(by: "kilometers")
        let names = try await db.pipeline().create(from: alps).select(["name"]).execute()
        // end snippet
        #expect(names.results.map { $0.get("name") as? String } == ["Lake Loop", "Ridge Walk"])

        let pipeline = db.pipeline().collection("trails")
        // snippet: pipelines-values
        let trails = try await pipeline.execute().results(as: Trail.self)
        for trail in trails { print(trail.id ?? "", trail.name) }
        for failure in trails.failures { print(failure.result.id ?? "", failure.error) }
        // end snippet
        #expect(trails.map(\.id) == ["lake", "moor", "ridge"] && trails.failures.isEmpty)

        var exported: [String] = []
        func export(_ trail: Trail) { exported.append(trail.name) }
        // snippet: pipelines-pages
        for try await row in pipeline.results() {
            export(try row.data(as: Trail.self))
        }
        // end snippet
        #expect(exported.count == 3)

        // snippet: pipelines-explain
        print(try await pipeline.explain())
        // end snippet
        #expect(try await pipeline.explain(analyze: false).text.isEmpty == false)
    }

    @Test func `absent fields and names`() async throws {
        let db = try TestFirestore().firestore
        try await db.collection("trails").document("ridge").setData(["region": "Alps", "address": ["city": "Ehrwald"]])
        // snippet: pipelines-regions
        let regions = try await db.pipeline().collection("trails")
            .where(Field("open").notEqual(false))
            .aggregate([CountAll().as("trails")], groups: [Field("region")])
            .execute()
        // end snippet
        #expect(regions.results.map { $0.get("trails") as? Int } == [1])

        // snippet: pipelines-names
        let flat = db.pipeline().collection("trails")
            .select([Field("address.city").as("`address.city`")])
        // end snippet
        #expect(try await flat.execute().results.first?.data["address.city"] as? String == "Ehrwald")
    }

    @Test func `mistakes are thrown by the execution`() async throws {
        let db = try TestFirestore().firestore
        // snippet: pipelines-errors
        let twice = db.pipeline().collection("trails").select([Field("name"), Field("region").as("name")])
        do {
            try await twice.execute()
        } catch FirestoreErrorCode.invalidArgument {
            print("The database rejects the pipeline.")
        } catch let error as NSError {
            print(error.domain, error.code, error.localizedDescription)
        }
        // end snippet
        await #expect(throws: NSError.self) { try await twice.execute() }
    }

    @Test func `pipelines of the past, and in transactions`() async throws {
        let db = try TestFirestore(startingAt: Date(timeIntervalSinceNow: -1_800))
        let trails = try await StartSnippets.fill(db.firestore)
        db.clock.advance(by: .seconds(1_800))
        try await trails.document("ridge").delete()
        let pipeline = db.firestore.pipeline().collection("trails")
        // snippet: pipelines-past
        let tenMinutesAgo = Timestamp(seconds: Timestamp().seconds - 600, nanoseconds: 0)
        let before = try await pipeline.execute(at: tenMinutesAgo)
        // end snippet
        #expect(before.results.count == 3)

        let firestore = db.firestore
        // snippet: pipelines-transaction
        let total = firestore.pipeline().collection("trails").aggregate([Field("kilometers").sum().as("sum")])
        try await firestore.runTransaction { transaction, errorPointer in
            do {
                let sum = try transaction.execute(total).results.first?.get("sum") as? Double ?? 0
                transaction.setData(["kilometers": sum], forDocument: firestore.document("totals/all"))
            } catch {
                errorPointer?.pointee = error as NSError
            }
            return nil
        }
        // end snippet
        #expect(try await firestore.document("totals/all").getDocument()["kilometers"] as? Double == 10)
    }

    @Test func `documents are written`() async throws {
        let db = try TestFirestore().firestore
        let trails = try await StartSnippets.fill(db)
        // snippet: pipelines-update
        try await db.pipeline().collection("trails")
            .where(Field("kilometers").greaterThan(10))
            .update([Constant("hard").as("grade")])
            .execute()
        // end snippet
        #expect(try await trails.whereField("grade", isEqualTo: "hard").getDocuments().documents.map(\.documentID) == ["ridge"])

        // snippet: pipelines-copy
        let copied = try await db.pipeline().collection("trails")
            .where(Field("region").equal("Alps"))
            .insert(collection: "alpineTrails")
            .execute(atomic: true)
        print(copied.results.first?.get("documents_modified") ?? 0)
        // end snippet
        #expect(copied.results.first?.get("documents_modified") as? Int == 2)
        #expect(try await db.collection("alpineTrails").getDocuments().documents.map(\.documentID) == ["lake", "ridge"])
    }
}
