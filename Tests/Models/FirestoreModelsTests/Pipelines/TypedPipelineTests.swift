// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCore
import FirestoreModels
import FirestoreTesting
import Foundation
import Testing

/// What typed pipelines send (PL-236).
struct TypedPipelineTests {
    typealias Row = (pipeline: TypedPipeline<City>, stages: String)

    let db: Firestore
    let cities: TypedCollection<City>

    init() throws {
        db = try TestFirestore().firestore
        cities = db.collection("cities", of: City.self)
    }

    /// The stages, in one line.
    private func text(_ pipeline: Pipeline) throws -> String {
        PipelineText.print(try pipeline.runnable().1.stages).split(separator: "\n").joined(separator: " ")
    }

    private func check(_ rows: [Row], sourceLocation: SourceLocation = #_sourceLocation) throws {
        for row in rows {
            let text = try text(row.pipeline.pipeline)
            #expect(text == "collection(/cities) " + row.stages, sourceLocation: sourceLocation)
        }
    }

    // PT-232
    @Test func `a comparison has the stored name, the encoded operand and the meaning of a query`() throws {
        let all = cities.pipeline()
        try check([
            (all.where { $0.country == "DE" }, #"where(equal(country, "DE"))"#),
            (all.where(\.country == "DE"), #"where(equal(country, "DE"))"#),
            (all.where { $0.population != 3 }, "where(and(exists(inhabitants), not_equal(inhabitants, null), not_equal(inhabitants, 3)))"),
            (all.where { $0.population < 5 }, "where(less_than(inhabitants, 5))"),
            (all.where { $0.population >= 5 }, "where(greater_than_or_equal(inhabitants, 5))"),
            (all.where { $0.country.isIn(["DE", "AT"]) }, #"where(equal_any(country, ["DE", "AT"]))"#),
            (all.where { $0.country.isIn([]) }, "where(false)"),
            (
                all.where { $0.country.isNotIn(["DE"]) },
                #"where(and(exists(country), not_equal(country, null), not_equal_any(country, ["DE"])))"#
            ),
            (all.where { $0.tags.contains("port") }, #"where(array_contains(tags, "port"))"#),
            (all.where { $0.tags.containsAny(["a", "b"]) }, #"where(array_contains_any(tags, ["a", "b"]))"#),
            (all.where { $0.mayor == nil }, "where(equal(mayor, null))"),
            (all.where { $0.mayor != nil }, "where(and(exists(mayor), not_equal(mayor, null)))"),
            (all.where { !($0.status == .open) }, #"where(and(exists(status), not_equal(status, null), not_equal(status, "open")))"#),
            (all.where { $0.address.city == "Bonn" }, #"where(equal(address.city, "Bonn"))"#),
            (all.where { $0.names["a.b"] == "x" }, #"where(equal(names.`a.b`, "x"))"#),
        ])
    }

    @Test func `conditions are joined, also with expressions, and stages follow each other`() throws {
        let all = cities.pipeline()
        try check([
            (
                all.where { $0.area > 1 && ($0.country == "DE" || $0.country == "AT") },
                #"where(and(greater_than(area, 1.0), or(equal(country, "DE"), equal(country, "AT"))))"#
            ),
            (all.where(\.area > 1, \.country == "DE"), #"where(and(greater_than(area, 1.0), equal(country, "DE")))"#),
            (all.where { $0.area > 1 }.where { $0.country == "DE" }, #"where(greater_than(area, 1.0)) where(equal(country, "DE"))"#),
            (all.where(all.field(\.population).greaterThan(5)), "where(greater_than(inhabitants, 5))"),
            (all.sort(by: \.population), "sort(inhabitants ascending)"),
            (all.sort(by: \.id, descending: true), "sort(__name__ descending)"),
            (all.sort(.ascending(\.country), .descending(\.population)), "sort(country ascending, inhabitants descending)"),
            (all.offset(2).limit(3), "offset(2) limit(3)"),
            (all.sample(count: 5), "sample(5 documents)"),
        ])
    }

    @Test func `the id of a document is its reference`() throws {
        let name = "reference(\"\(db.databaseID.documentsPrefix)cities/bonn\")"
        try check([
            (cities.pipeline().where { $0.id == "bonn" }, "where(equal(__name__, \(name)))"),
            (cities.pipeline().where { $0.id.isIn(["bonn"]) }, "where(equal_any(__name__, [\(name)]))"),
        ])
    }

    @Test func `a query is the beginning of a pipeline, with the meaning that it has`() throws {
        let query = cities.where { $0.country != "DE" }.order(by: \.population, descending: true).limit(to: 3)
        try check([
            (
                query.pipeline(),
                #"where(and(exists(country), not_equal(country, null), not_equal(country, "DE"))) where(exists(inhabitants)) "#
                    + "sort(inhabitants descending, country descending, __name__ descending) limit(3)"
            )
        ])
        let group = db.collectionGroup(City.landmarks).pipeline().where { $0.name == "Minster" }
        #expect(try text(group.pipeline) == #"collection_group(reference(""), "landmarks") where(equal(name, "Minster"))"#)
    }

    @Test func `stages that change the rows lead to a pipeline without types`() throws {
        let (all, country) = (cities.pipeline(), cities.field(\.country))
        let rows: [(Pipeline, String)] = [
            (all.select([country, all.field(\.address.city)]), "select(address.city, country)"),
            (all.addFields([all.field(\.population).add(1).as("next")]), "add_fields(add(inhabitants, 1) as next)"),
            (all.removeFields([country]), "remove_fields(country)"),
            (all.replace(with: all.field(\.address)), "replace_with(address)"),
            (all.distinct([country]), "distinct(country)"),
            (all.aggregate([CountAll().as("n")], groups: [country]), "aggregate(count() as n, groups: [country])"),
            (all.unnest(all.field(\.tags).as("tag"), indexField: "place"), "unnest(tags as tag, index_field: place)"),
            (all.define([country.as("land")]), "let(country as land)"),
        ]
        for (pipeline, stages) in rows { #expect(try text(pipeline) == "collection(/cities) " + stages) }
    }

    // MP-47
    @Test func `the encoder gives names and operands`() throws {
        let encoder = Firestore.Encoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.dateEncodingStrategy = .secondsSince1970
        let snakes = db.collection("cities", of: City.self, encoder: encoder)
        let pipeline = snakes.pipeline().where { $0.updatedAt > Date(timeIntervalSince1970: 7) }.sort(by: \.updatedAt)
        try check([(pipeline, "where(greater_than(updated_at, 7.0)) sort(updated_at ascending)")])
        #expect(snakes.field(\.updatedAt).fieldName == "updated_at" && pipeline.field(\.updatedAt).fieldName == "updated_at")
    }

    @Test func `mistakes in a condition are thrown by the execution`() async {
        let (all, group) = (cities.pipeline(), db.collectionGroup(City.landmarks).pipeline())
        let rows: [(text: String, execute: () async throws -> Void, reason: String)] = [
            ("an operand that cannot be stored", { _ = try await all.where { $0.area == .nan }.execute() }, "field area"),
            ("the opposite of contains", { _ = try await all.where { !$0.tags.contains("a") }.execute() }, "no opposite"),
            ("an id with a slash", { _ = try await all.where { $0.id == "a/b" }.execute() }, "slash"),
            ("an id in a group", { _ = try await group.where { $0.id == "minster" }.execute() }, "$0.id.reference == reference"),
            ("a negative limit", { _ = try await all.limit(-1).execute() }, "limit"),
            ("a query without the order that it needs", { _ = try await cities.limit(toLast: 1).pipeline().execute() }, "order(by:)"),
        ]
        for row in rows {
            await #expect("\(row.text)") {
                try await row.execute()
            } throws: { error in
                FirestoreErrorCode.invalidArgument ~= error && (error as NSError).localizedDescription.contains(row.reason)
            }
        }
    }
}
