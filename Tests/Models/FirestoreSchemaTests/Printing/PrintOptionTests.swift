// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSchema
import Testing

/// Typed fields, the macro, and public types (MP-29).
struct PrintOptionTests {
    private static let documents: [TestDocument] = (0..<3).map { number in
        let time = TimestampValue(seconds: 1_700_000_000, nanoseconds: 0)
        let fields: [String: Value] = [
            "first_name": "Ada", "age": number == 0 ? .null : 36, "home": ["zip": "1"], "createdAt": .timestamp(time), "tags": ["a"],
        ]
        let more: [String: Value] = number == 1 ? ["nick": "A"] : [:]
        return TestDocument("d\(number)", fields.merging(more) { $1 }, times: SchemaTree.Times(create: time, update: time))
    }

    // MP row T34 with the kinds of fields
    @Test func `a table of fields names coding keys, types and kinds`() throws {
        var options = PrintOptions()
        options.fields = .table
        let text = try swift(Self.documents, collection: "users", options: .extras, print: options)
        #expect(text.contains("import FirebaseFirestore\nimport FirestoreModels\nimport Foundation\n"))
        #expect(text.contains("""
                struct Fields: Sendable {
                    let id = ModelField<User, String, FieldKind.DocumentID>.documentID
                    let age = ModelField<User, Int, FieldKind.ExplicitNull>(CodingKeys.age)
                    let createdAt = ModelField<User, Date, FieldKind.ServerTimestamp>(CodingKeys.createdAt)
                    let firstName = ModelField<User, String, FieldKind.Required>(CodingKeys.firstName)
                    let home = ModelField<User, Home, FieldKind.Required>(CodingKeys.home)
                    let nick = ModelField<User, String, FieldKind.Optional>(CodingKeys.nick)
                    let tags = ModelField<User, [String], FieldKind.Required>(CodingKeys.tags)
                }
                static let fields = Fields()
            }

            extension User: FirestoreModel {}
            extension User.Home: FirestoreModel {}

            """))
        #expect(text.contains("            let zip = ModelField<Home, String, FieldKind.Required>(CodingKeys.zip)\n"))
    }

    @Test func `types conform to the requested protocols`() throws {
        var options = PrintOptions()
        options.conformances = [.hashable, .identifiable]
        let text = try swift(Self.documents, collection: "users", print: options)
        #expect(text.contains("struct User: Codable, Hashable, Identifiable {") && text.contains("    struct Home: Codable, Hashable {"))
        options.conformances = [.identifiable]
        #expect(try swift(Self.documents, collection: "users", print: options).contains("struct User: Codable, Identifiable {"))
        // A field `id` that no one can compare.
        #expect(try swift(FirestoreSchemaTests.documents(["id": ["a": 1]]), print: options).contains("struct Thing: Codable {"))
    }

    @Test func `each structure has the macro`() throws {
        var options = PrintOptions()
        options.fields = .macro
        let text = try swift(Self.documents, collection: "users", options: .extras, print: options)
        #expect(text.contains("import FirestoreModelMacros\n") && text.contains("\n@FirestoreModel\nstruct User: Codable {") && text.contains("\n    @FirestoreModel\n    struct Home: Codable {"))
        #expect(!text.contains("ModelField") && text.contains("case firstName = \"first_name\""))
    }

    @Test func `public types have public initializers`() throws {
        var options = PrintOptions()
        options.isPublic = true
        let text = try swift(Self.documents, collection: "users", print: options)
        #expect(text.contains("public struct User: Codable {\n    @DocumentID public var id: String?\n    // null in 1 of 3\n    @ExplicitNull public var age: Int?\n"))
        #expect(text.contains("    public init(id: String? = nil, age: Int? = nil, createdAt: Date? = nil, firstName: String, home: Home, nick: String? = nil, tags: [String]) {\n        self.id = id\n"))
        #expect(text.contains("public enum CodingKeys: String, CodingKey"))
    }

    @Test func `open enumerations are OpenEnum where Hearth may be used, and plain Swift elsewhere`() throws {
        let words = many(120) { ["status": .string(["open", "done", "late"][$0 % 3])] }
        let text = try swift(words, options: .extras)
        #expect(text.contains("import FirebaseFirestore\nimport FirestoreModels\n\n"))
        #expect(text.contains("    enum Status: OpenEnum, Hashable, Sendable {\n        case done\n"))
        #expect(text.contains("        init?(rawValue: String) {") && text.contains("            default: return nil\n"))
        for fields in [PrintOptions.Fields.table, .macro] {
            var options = PrintOptions()
            options.fields = fields
            let text = try swift(words, options: .extras, print: options)
            #expect(text.contains("enum Status: OpenEnum,") && text.split(separator: "\n").count { $0.hasPrefix("import FirestoreModel") } == 1)
        }
        let portable = try swift(words)
        #expect(!portable.contains("FirestoreModels") && portable.contains("enum Status: RawRepresentable, Codable, Hashable, Sendable {"))
        #expect(portable.contains("            default: self = .unknown(rawValue)\n"))
        var closed = TypeOptions.extras
        closed.enums = .closed
        #expect(!(try swift(words, options: closed)).contains("FirestoreModels"))
    }
}
