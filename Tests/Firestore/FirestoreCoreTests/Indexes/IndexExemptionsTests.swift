// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

struct IndexExemptionsTests {
    private static func path(_ text: String) -> FieldPathSegments { FieldPathSegments(text.split(separator: ".").map { String($0) }) }

    private static func setting(_ collection: String?, _ field: String?, _ isExempt: Bool) -> IndexExemptions.Setting {
        IndexExemptions.Setting(collectionID: collection, path: field.map(path), isExempt: isExempt)
    }

    @Test(arguments: [
        ("c", "a", true), ("c", "a.b", true), ("c", "a.b.c", false), ("c", "a.b.c.d", false), ("c", "x", false), ("d", "a", false),
        ("e", "a", true), ("e", "a.b", true), ("e", "kept", false), ("c", "ab", false),
    ])
    func `the nearest setting decides`(collection: String, field: String, isExempt: Bool) {
        let exemptions = IndexExemptions([
            Self.setting("c", "a", true), Self.setting("c", "a.b.c", false), Self.setting("e", nil, true), Self.setting("e", "kept", false),
        ])
        #expect(exemptions.contains(Self.path(field), of: collection) == isExempt)
        let definition = IndexDefinition(collectionID: collection, fields: ["z", field].map { IndexDefinition.Field(Self.path($0)) })
        let hasOther = exemptions.contains(Self.path("z"), of: collection)
        #expect(exemptions.concern(definition) == (isExempt || hasOther))
    }

    @Test func `settings of the database hold where a collection has none`() {
        let exemptions = IndexExemptions([Self.setting(nil, nil, true), Self.setting("c", nil, false)])
        #expect(exemptions.contains(Self.path("a"), of: "d") && !exemptions.contains(Self.path("a"), of: "c"))
    }

    @Test func `what is stored is read again, and damage is noticed`() throws {
        let exemptions = IndexExemptions([Self.setting("c", "a.b", true), Self.setting(nil, nil, false), Self.setting("é", nil, true)])
        #expect(IndexExemptions(stored: exemptions.stored) == exemptions)
        #expect(IndexExemptions(stored: ByteSlice(Array("{".utf8))) == nil)
        #expect(!IndexExemptions().concern(IndexDefinition(collectionID: "c", fields: [])))
    }
}
