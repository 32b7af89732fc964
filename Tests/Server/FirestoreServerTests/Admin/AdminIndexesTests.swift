// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

struct AdminIndexesTests {
    private static let group = AdminFixture.database + "/collectionGroups/books"

    private func request(_ fields: String, scope: String = "COLLECTION") -> String {
        #"{"parent":"\#(Self.group)","index":{"queryScope":"\#(scope)","fields":[\#(fields)]}}"#
    }

    private static let author = #"{"fieldPath":"author","order":"ASCENDING"}"#
    private static let year = #"{"fieldPath":"year","order":"DESCENDING"}"#

    // OT-30
    @Test func `an index lives from its creation to its deletion`() async throws {
        let fixture = try AdminFixture()
        let made = try await fixture.result(.createIndex, request("\(Self.author),\(Self.year)"))
        #expect(made.text("state") == "READY" && made.text("apiScope") == "ANY_API")
        #expect(made.elements("fields").map { $0.text("fieldPath") + $0.text("order") } == ["authorASCENDING", "yearDESCENDING", "__name__DESCENDING"])
        #expect(await fixture.code(.createIndex, request("\(Self.author),\(Self.year)")) == .alreadyExists)
        // The same read backwards is another one: both are listed, and neither is created again.
        _ = try await fixture.result(.createIndex, request(#"{"fieldPath":"author","order":2},{"fieldPath":"year","order":1}"#))
        let listed = try await fixture.call(.listIndexes, #"{"parent":"\#(AdminFixture.database)/collectionGroups/-"}"#).elements("indexes")
        #expect(listed.count == 2)
        let name = #"{"name":"\#(made.text("name"))"}"#
        #expect(try await fixture.call(.getIndex, name).elements("fields").map { $0.text() } == made.elements("fields").map { $0.text() })
        // gcloud leaves the group out.
        let id = made.text("name").split(separator: "/").last ?? ""
        #expect(try await fixture.call(.getIndex, #"{"name":"\#(AdminFixture.database)/collectionGroups/__default__/indexes/\#(id)"}"#)["name"] != nil)
        _ = try await fixture.call(.deleteIndex, name)
        #expect(await fixture.code(.getIndex, name) == .notFound)
        #expect(await fixture.code(.deleteIndex, name) == .notFound)
        await fixture.stop()
    }

    @Test func `automatic indexes are not listed`() async throws {
        let fixture = try AdminFixture()
        let service = try await fixture.server.service.databases.open(ServerFixture.database)
        let writes = (0..<400).map { Write.set("books/\($0)", [("author", .integer(Int64($0))), ("year", .integer(1))]) }
        _ = try await service.commit(writes, context: .embedded)
        var query = StructuredQuery.all("books")
        query.filter = .field(FieldPathSegments("author"), .equal, ValueBytes(.integer(3)))
        for _ in 0..<3 { _ = try await service.run(query, context: .embedded) }
        let indexes = try #require(service.indexAdministration)
        try await indexes.indexesSettled()
        #expect(try await !indexes.indexes().isEmpty)
        #expect(try await fixture.call(.listIndexes, #"{"parent":"\#(Self.group)"}"#)["indexes"] == nil)
        await fixture.stop()
    }

    @Test(arguments: [
        (author, "index.fields"), ("", "index.fields"), ("\(author),\(author)", "index.fields[1]"),
        (#"{"fieldPath":"a"},\#(year)"#, "index.fields[0]"), (#"{"fieldPath":"__name__","order":1},\#(author)"#, "index.fields[1]"),
        (#"{"fieldPath":"a","arrayConfig":1},{"fieldPath":"b","arrayConfig":1}"#, "index.fields[1]"),
        (#"{"fieldPath":"a..b","order":1},\#(year)"#, "index.fields[0].fieldPath"),
        ((0..<101).map { #"{"fieldPath":"f\#($0)","order":1}"# }.joined(separator: ","), "index.fields"),
        (#"\#(author),{"fieldPath":"v","vectorConfig":{"dimension":4000,"flat":{}}}"#, "index.fields[1].vectorConfig.dimension"),
    ])
    func `an index that is none is refused with its place`(fields: String, place: String) async throws {
        let fixture = try AdminFixture()
        do {
            _ = try await fixture.call(.createIndex, request(fields))
            Issue.record("it was created")
        } catch let error as FirestoreError {
            #expect(error.code == .invalidArgument && error.location == place, "\(error)")
        }
        await fixture.stop()
    }

    @Test func `an index with a vector is kept as it was sent`() async throws {
        let fixture = try AdminFixture()
        let fields = #"\#(Self.author),{"fieldPath":"v","vectorConfig":{"dimension":3,"flat":{}}}"#
        let made = try await fixture.result(.createIndex, request(fields))
        #expect(made.elements("fields")[1]["vectorConfig"]?.integer("dimension") == 3)
        #expect(await fixture.code(.createIndex, request(fields)) == .alreadyExists)
        #expect(try await fixture.call(.listIndexes, #"{"parent":"\#(Self.group)"}"#).elements("indexes").count == 1)
        _ = try await fixture.call(.deleteIndex, #"{"name":"\#(made.text("name"))"}"#)
        #expect(try await fixture.call(.listIndexes, #"{"parent":"\#(Self.group)"}"#)["indexes"] == nil)
        await fixture.stop()
    }

    @Test func `pages go on after deletions`() async throws {
        let fixture = try AdminFixture()
        for number in 0..<5 {
            _ = try await fixture.result(.createIndex, request(#"\#(Self.author),{"fieldPath":"f\#(number)","order":1}"#))
        }
        var names: [String] = []
        var token = ""
        repeat {
            let page = try await fixture.call(.listIndexes, #"{"parent":"\#(Self.group)","pageSize":2,"pageToken":"\#(token)"}"#)
            let found = page.elements("indexes").map { $0.text("name") }
            #expect(found.count <= 2)
            for name in found { _ = try await fixture.call(.deleteIndex, #"{"name":"\#(name)"}"#) }
            names += found
            token = page.text("nextPageToken")
        } while !token.isEmpty
        #expect(Set(names).count == 5)
        #expect(await fixture.code(.listIndexes, #"{"parent":"\#(Self.group)","pageSize":-1}"#) == .invalidArgument)
        await fixture.stop()
    }
}
