// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEnforcement
import FirestoreWire
import ServerFixtures
import Testing

@testable import FirestoreServer

struct AdminFieldsTests {
    private func name(_ field: String, of group: String = "books") -> String { "\(AdminFixture.database)/collectionGroups/\(group)/fields/\(field)" }

    private func update(_ field: String, of group: String = "books", _ members: String = "", mask: String = "") -> String {
        #"{"field":{"name":"\#(name(field, of: group))"\#(members.isEmpty ? "" : ",")\#(members)},"updateMask":"\#(mask)"}"#
    }

    @Test func `a field without settings has those of the database`() async throws {
        let fixture = try AdminFixture()
        let field = try await fixture.call(.getField, #"{"name":"\#(name("text"))"}"#)
        #expect(field["indexConfig"]?.flag("usesAncestorConfig") == true)
        #expect(field["indexConfig"]?.text("ancestorField") == name("*", of: "__default__"))
        #expect(field["indexConfig"]?.elements("indexes").count == 3)
        await fixture.stop()
    }

    @Test func `a mask changes what it names, and nothing else`() async throws {
        let fixture = try AdminFixture()
        _ = try await fixture.result(.updateField, update("text", #""indexConfig":{},"ttlConfig":{"expirationOffset":"7s"}"#))
        var field = try await fixture.result(.updateField, update("text", #""indexConfig":{"usesAncestorConfig":true}"#, mask: "indexConfig"))
        #expect(field["ttlConfig"]?.text("expirationOffset") == "7s" && field["indexConfig"]?.flag("usesAncestorConfig") == true)
        field = try await fixture.result(.updateField, update("text", mask: "ttlConfig"))
        #expect(field["ttlConfig"] == nil)
        #expect(await fixture.code(.updateField, update("text", mask: "colour")) == .invalidArgument)
        await fixture.stop()
    }

    /// gcloud and others say on and off only.
    @Test func `an expiry that is on keeps its offset, unless the request names one or the mask does`() async throws {
        let fixture = try AdminFixture()
        func offset(_ members: String, mask: String) async throws -> String? {
            try await fixture.result(.updateField, update("text", members, mask: mask))["ttlConfig"]?.text("expirationOffset")
        }
        #expect(try await offset(#""ttlConfig":{"expirationOffset":"2592000s"}"#, mask: "ttlConfig") == "2592000s")
        #expect(try await offset(#""ttlConfig":{}"#, mask: "ttlConfig") == "2592000s")
        #expect(try await offset(#""indexConfig":{},"ttlConfig":{"state":"ACTIVE"}"#, mask: "indexConfig,ttlConfig") == "2592000s")
        #expect(try await offset(#""indexConfig":{},"ttlConfig":{}"#, mask: "") == "2592000s")
        #expect(try await offset(#""ttlConfig":{"expirationOffset":"60s"}"#, mask: "ttlConfig") == "60s")
        #expect(try await offset(#""ttlConfig":{}"#, mask: "ttlConfig.expirationOffset") == "")
        #expect(try await offset(#""ttlConfig":{"expirationOffset":"7s"}"#, mask: "ttlConfig") == "7s")
        // Off and on again is a new beginning.
        #expect(try await offset("", mask: "ttlConfig") == nil)
        #expect(try await offset(#""ttlConfig":{}"#, mask: "ttlConfig") == "")
        await fixture.stop()
    }

    // OT-31
    @Test func `without a mask everything goes back to its default`() async throws {
        let fixture = try AdminFixture()
        _ = try await fixture.result(.updateField, update("text", #""indexConfig":{},"ttlConfig":{}"#))
        let field = try await fixture.result(.updateField, update("text"))
        #expect(field["ttlConfig"] == nil && field["indexConfig"]?.flag("usesAncestorConfig") == true)
        let list = try await fixture.call(.listFields, #"{"parent":"\#(AdminFixture.database)/collectionGroups/-"}"#)
        #expect(list.elements("fields").map { $0.text("name") } == [name("*", of: "__default__")])
        await fixture.stop()
    }

    @Test func `lists have two filters`() async throws {
        let fixture = try AdminFixture()
        _ = try await fixture.result(.updateField, update("text", #""indexConfig":{}"#, mask: "indexConfig"))
        _ = try await fixture.result(.updateField, update("expires", of: "sessions", #""ttlConfig":{}"#, mask: "ttlConfig"))
        func names(_ filter: String, in group: String = "-") async throws -> [String] {
            let parent = "\(AdminFixture.database)/collectionGroups/\(group)"
            return try await fixture.call(.listFields, #"{"parent":"\#(parent)","filter":"\#(filter)"}"#).elements("fields").map { $0.text("name") }
        }
        let (text, expires, everything) = (name("text"), name("expires", of: "sessions"), name("*", of: "__default__"))
        #expect(try await names("indexConfig.usesAncestorConfig:false") == [everything, text])
        #expect(try await names("ttlConfig:*") == [expires])
        #expect(try await names("indexConfig.usesAncestorConfig=false OR ttlConfig:*") == [everything, text, expires])
        #expect(try await names("ttlConfig:*", in: "books").isEmpty)
        #expect(await fixture.code(.listFields, #"{"parent":"\#(AdminFixture.database)/collectionGroups/-","filter":"a=b"}"#) == .invalidArgument)
        await fixture.stop()
    }

    // OT-32
    @Test(arguments: [
        ("*", #"{}"#, FirestoreError.Code.invalidArgument), ("expires", #"{"expirationOffset":"-1s"}"#, .invalidArgument),
        ("expires", #"{"expirationOffset":"1.5s"}"#, .invalidArgument), ("expires", #"{"expirationOffset":"2147483648s"}"#, .invalidArgument),
        ("expires", #"{"expirationOffset":"2147483647s"}"#, .ok), ("expires", #"{"expirationOffset":"0s"}"#, .ok), ("a.b", "{}", .ok),
        ("__name__", "{}", .invalidArgument), ("a..b", "{}", .invalidArgument), ("`a-b`", "{}", .ok),
    ])
    func `documents expire by one field, after whole seconds`(field: String, config: String, expected: FirestoreError.Code) async throws {
        let fixture = try AdminFixture()
        #expect(await fixture.code(.updateField, update(field, of: "sessions", #""ttlConfig":\#(config)"#, mask: "ttlConfig")) == expected)
        await fixture.stop()
    }

    @Test func `a second policy of a collection group is refused while there is another`() async throws {
        let fixture = try AdminFixture()
        _ = try await fixture.result(.updateField, update("expires", #""ttlConfig":{}"#, mask: "ttlConfig"))
        #expect(await fixture.code(.updateField, update("until", #""ttlConfig":{}"#, mask: "ttlConfig")) == .failedPrecondition)
        _ = try await fixture.result(.updateField, update("until", of: "films", #""ttlConfig":{}"#, mask: "ttlConfig"))
        _ = try await fixture.result(.updateField, update("expires", mask: "ttlConfig"))
        _ = try await fixture.result(.updateField, update("until", #""ttlConfig":{}"#, mask: "ttlConfig"))
        await fixture.stop()
    }

    @Test func `indexes of a field are those of the engine`() async throws {
        let fixture = try AdminFixture()
        let entries = #"{"queryScope":"COLLECTION_GROUP","fields":[{"fieldPath":"tags","arrayConfig":"CONTAINS"}]},{"fields":[{"order":"ASCENDING"}]},{"fields":[{"order":"DESCENDING"}]}"#
        _ = try await fixture.result(.updateField, update("tags", #""indexConfig":{"indexes":[\#(entries)]}"#, mask: "indexConfig"))
        let service = try await fixture.server.service.databases.open(ServerFixture.database)
        let indexes = try #require(service.indexAdministration)
        #expect(Set(try await indexes.indexes().map { "\($0.definition)" }) == ["group books(tags array)", "books(tags)"])
        _ = try await fixture.result(.updateField, update("tags"))
        #expect(try await indexes.indexes().isEmpty)
        for wrong in [#"{"fields":[]}"#, #"{"fields":[{"fieldPath":"other","order":1}]}"#, #"{"fields":[{}]}"#, #"{"queryScope":3,"fields":[{"order":1}]}"#] {
            #expect(await fixture.code(.updateField, update("tags", #""indexConfig":{"indexes":[\#(wrong)]}"#)) == .invalidArgument, "\(wrong)")
        }
        await fixture.stop()
    }

    @Test func `the thousand and first field is refused`() async throws {
        let fixture = try AdminFixture()
        let service = try await fixture.server.service.databases.open(ServerFixture.database)
        let facts = try #require(service.facts)
        for number in 0..<FieldSettings.maximum {
            var settings = FieldSettings(field: try FieldName(group: "g\(number)", path: "f"))
            settings.indexes = []
            try await facts.setFact(settings.key, settings.stored)
        }
        #expect(await fixture.code(.updateField, update("text", #""ttlConfig":{}"#, mask: "ttlConfig")) == .resourceExhausted)
        _ = try await fixture.result(.updateField, update("f", of: "g7"))
        #expect(await fixture.code(.updateField, update("text", #""ttlConfig":{}"#, mask: "ttlConfig")) == .ok)
        await fixture.stop()
    }
}
