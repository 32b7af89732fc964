// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Stages: every overload, as an app calls it, and what it sends.
@Suite struct StageTests {
    let db = Scratch.firestore()

    private func check(_ build: (Pipeline) -> Pipeline, _ stage: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let source = db.pipeline().collection("c")
        try FirebaseFirestoreTests.check(build(source), "collection(/c) \(stage)", sourceLocation: sourceLocation)
    }

    @Test func `filters and windows`() throws {
        try check({ $0.where(Field("a").equal(1) && Field("b").exists()) }, "where(and(equal(a, 1), exists(b)))")
        try check({ $0.limit(5) }, "limit(5)")
        try check({ $0.offset(2) }, "offset(2)")
        try check({ $0.sort([Field("a").ascending(), Field("b").length().descending()]) }, "sort(a ascending, length(b) descending)")
        try check({ $0.sample(count: 10) }, "sample(10 documents)")
        try check({ $0.sample(percentage: 0.5) }, "sample(0.5 percent)")
    }

    @Test func `shapes`() throws {
        try check({ $0.select([Field("a"), Field("b").add(1).as("c")]) }, "select(a, add(b, 1) as c)")
        try check({ $0.select(["a", "b.c"]) }, "select(a, b.c)")
        try check({ $0.select([Field("a").as("`x.y`"), Field("b").as("z.w")]) }, "select(a as `x.y`, b as z.w)")
        try check({ $0.select([Constant(1).as("one")]) }, "select(1 as one)")
        try check({ $0.addFields([Field("a").toUpper().as("a")]) }, "add_fields(to_upper(a) as a)")
        try check({ $0.removeFields([Field("a"), Field("b.c")]) }, "remove_fields(a, b.c)")
        try check({ $0.removeFields(["a"]) }, "remove_fields(a)")
        try check({ $0.replace(with: Field("m")) }, "replace_with(m)")
        try check({ $0.replace(with: "m.n") }, "replace_with(m.n)")
        try check({ $0.replace(with: MapExpression(["a": Field("b")])) }, "replace_with(map(\"a\", b))")
        try check({ $0.distinct(["a", "b"]) }, "distinct(a, b)")
        try check({ $0.distinct([Field("a").toUpper().as("u")]) }, "distinct(to_upper(a) as u)")
        try check({ $0.unnest(Field("tags").as("tag")) }, "unnest(tags as tag)")
        try check({ $0.unnest(Field("tags"), indexField: "at") }, "unnest(tags as tags, index_field: at)")
    }

    @Test func `groups`() throws {
        try check({ $0.aggregate([CountAll().as("n")]) }, "aggregate(count() as n)")
        try check(
            { $0.aggregate([CountAll().as("n"), Field("a").average().as("mean")], groups: [Field("b"), Field("c").toUpper().as("u")]) },
            "aggregate(average(a) as mean, count() as n, groups: [b, to_upper(c) as u])")
    }

    @Test func `vectors`() throws {
        let near = VectorValue([1, 2])
        try check({ $0.findNearest(field: Field("v"), vectorValue: near, distanceMeasure: .cosine) }, "find_nearest(v, vector(1.0, 2.0), \"cosine\")")
        try check(
            { $0.findNearest(field: Field("v"), vectorValue: near, distanceMeasure: .dotProduct, limit: 3, distanceField: "d") },
            "find_nearest(v, vector(1.0, 2.0), \"dot_product\", distance_field: d, limit: 3)")
        #expect(DistanceMeasure.euclidean != .cosine && Set([DistanceMeasure.dotProduct, .dotProduct]).count == 1)
    }

    @Test func `several pipelines`() throws {
        let other = db.pipeline().collection("d").limit(1)
        try check({ $0.union(with: other) }, "union(collection(/d).limit(1))")
        try check({ $0.addFields([other.toArrayExpression().as("all")]) }, "add_fields(array(collection(/d).limit(1)) as all)")
        try check({ $0.where(other.toScalarExpression().equal(1)) }, "where(equal(scalar(collection(/d).limit(1)), 1))")
        try check(
            { $0.define([Field("k").as("kk"), CurrentDocument().as("doc")]).where(Variable("kk").equal(Variable("doc").getField("k"))) },
            "let(current_document() as doc, k as kk) where(equal($kk, get_field($doc, \"k\")))")
        try check(
            { $0.addFields([Subcollection("log").where(Field("level").equal(1)).toArrayExpression().as("log")]) },
            "add_fields(array(subcollection(\"log\").where(equal(level, 1))) as log)")
    }

    @Test func `search`() throws {
        let source = db.pipeline().collection("c")
        #expect(try text(source.search(query: "ridge")) == "collection(/c) raw_stage(\"search\", query: document_matches(\"ridge\"))")
        let all = source.search(
            query: DocumentMatches("ridge") && Field("at").geoDistance(GeoPoint(latitude: 1, longitude: 2)).lessThan(9), languageCode: "en",
            retrievalDepth: 100, sort: [Score().descending()], offset: 1, limit: 2, addFields: [Score().as("score")])
        #expect(
            try text(all) == "collection(/c) raw_stage(\"search\", add_fields: {score: score()}, language_code: \"en\", limit: 2, offset: 1, "
                + "query: and(document_matches(\"ridge\"), less_than(geo_distance(at, geo_point(1.0, 2.0)), 9)), retrieval_depth: 100, "
                + "sort: [{direction: \"descending\", expression: score()}])")
    }

    @Test func `raw stages take expressions, aggregate functions, values and dictionaries of them`() throws {
        let source = db.pipeline().collection("c")
        let raw = source.rawStage(
            name: "aggregate", params: [["n": CountAll(), "s": Field("a").sum()] as [String: any Sendable], [String: any Sendable]()])
        try FirebaseFirestoreTests.check(raw, "collection(/c) aggregate(count() as n, sum(a) as s)")
        let other = source.rawStage(name: "window", params: [Field("a"), 1, [1, 2]], options: ["size": 3, "by": ["x": Field("b")]])
        #expect(try text(other) == "collection(/c) raw_stage(\"window\", a, 1, array(1, 2), by: {x: b}, size: 3)")
    }

    @Test func `stages that write`() throws {
        try check({ $0.update() }, "update()")
        try check({ $0.update([Constant(5).as("c")]) }, "update(5 as c)")
        try check({ $0.delete() }, "delete()")
        try check({ $0.insert() }, "insert()")
        try check({ $0.insert(collection: "made") }, "insert(collection: /made)")
        try check({ $0.insert(collection: "made", documentId: Field("id")) }, "insert(collection: /made, document_id: id)")
        try check({ $0.insert(collection: db.collection("made")) }, "insert(collection: /made)")
        try check({ $0.insert(documentId: Field("id")) }, "insert(document_id: id)")
        try check({ $0.upsert() }, "upsert()")
        try check({ $0.upsert([Constant(1).as("seen")], collection: "copy") }, "upsert(1 as seen, collection: /copy)")
        try check({ $0.upsert(collection: db.collection("copy"), documentId: Field("id")) }, "upsert(collection: /copy, document_id: id)")
        #expect(fault(of: db.pipeline().collection("c").insert(collection: "c/d"))?.domain == FirestoreErrorDomain)
    }

    @Test func `a pipeline is not changed by the pipelines that are made of it`() throws {
        let source = db.pipeline().collection("c")
        _ = source.limit(1)
        #expect(try text(source) == "collection(/c)")
    }
}
