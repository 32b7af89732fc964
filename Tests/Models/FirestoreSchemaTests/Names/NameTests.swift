// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreSchema

/// Names of properties and types (MP-27).
struct NameTests {
    @Test(arguments: [
        ("name", "name"), ("first_name", "firstName"), ("First Name", "firstName"), ("URLPath", "urlPath"), ("IDs", "ids"), ("userIDs", "userIDs"), ("HTMLText", "htmlText"),
        ("postURL", "postURL"), ("a.b", "aB"), ("price-list", "priceList"), ("2nd", "_2nd"), ("self", "selfValue"), ("init", "initValue"), ("__meta", "meta"), ("größe", "größe"), ("名前", "名前"),
        ("imageURL", "imageURL"), ("größeCM", "größeCM"), ("user_ID", "userId"), ("UserID", "userId"), ("x_", "x"),
        ("🔥", "field1"), ("", "field1"), ("x2y", "x2y"), ("iPhone", "iPhone"), ("ABC", "abc"), ("é", "é"), ("a\u{301}b", "áb"), ("a\u{200B}b", "aB"),
    ])
    func `properties are words in lower camel case`(stored: String, expected: String) {
        var names = SwiftNames()
        #expect(names.property(stored) == expected)
    }

    // MP row T37
    @Test func `names that collide are numbered in the order of their bytes`() throws {
        let text = try swift(documents(["first_name": 1, "firstName": 2, "first-name": 3]))
        // The exact name wins, wherever it stands.
        #expect(text.contains("case firstName2 = \"first-name\"\n        case firstName\n        case firstName3 = \"first_name\""))
        let two = try swift(documents(["first_name": 1, "firstName": 2]))
        #expect(two.contains("    var firstName: Int\n    var firstName2: Int\n"))
        #expect(two.contains("    enum CodingKeys: String, CodingKey {\n        case id\n        case firstName\n        case firstName2 = \"first_name\"\n    }"))
    }

    // MP row T38
    @Test func `keywords, digits and signs become names`() throws {
        let text = try swift(documents(["default": 1, "class": 2, "self": 3, "2nd": 4, "🔥": 5]))
        for part in ["var `default`: Int", "var `class`: Int", "var selfValue: Int", "var _2nd: Int", "var field1: Int", "case `default`\n", "case selfValue = \"self\"", "case field1 = \"🔥\""] {
            #expect(text.contains(part), "\(part)")
        }
    }

    // MP row T40
    @Test(arguments: [
        ("cities", "City"), ("people", "Person"), ("news", "News"), ("tasks", "TaskDocument"), ("buses", "Bus"), ("houses", "House"), ("caches", "Cache"), ("movies", "Movie"),
        ("addresses", "Address"), ("children", "Child"), ("series", "Series"), ("boxes", "Box"), ("categories", "Category"), ("statuses", "Status"), ("wolves", "Wolf"), ("data", "Datum"),
        ("userProfiles", "UserProfile"), ("user_profiles", "UserProfile"), ("users/u1/books", "Book"), ("menus", "Menu"), ("analysis", "Analysis"), ("dates", "DateDocument"), ("queries", "QueryDocument"),
        ("quizzes", "Quiz"), ("axes", "Axis"), ("matches", "Match"), ("dishes", "Dish"), ("glasses", "Glass"), ("bonuses", "Bonus"), ("gases", "Gas"), ("heroes", "Hero"), ("🔥", "Document"),
        ("3d-models", "_3dModel"), ("City", "City"), ("sheep", "Sheep"), ("cookies", "Cookie"), ("lenses", "Lens"), ("prices", "Price"), ("uses", "Use"), ("knives", "Knife"),
    ])
    func `types are singulars`(collection: String, expected: String) {
        #expect(SwiftNames.document(of: collection) == expected)
    }

    @Test func `two collections with one singular get the words of their paths`() {
        #expect(SwiftNames.documents(of: ["users/a/books", "libraries/b/books", "cities"]) == ["UserBook", "LibraryBook", "City"])
    }

    @Test func `nested types do not hide types that the code uses`() throws {
        let text = try swift(documents(["date": ["a": 1], "string": ["b": 1], "thing": ["c": 1]]))
        for part in ["var date: DateValue", "var string: StringValue", "var thing: Thing2"] { #expect(text.contains(part), "\(part) in \(text)") }
    }

    @Test func `a field that has the name already gets it, and the document's id another one`() throws {
        let text = try swift(documents(["_id": 1, "id": "x"]))
        #expect(text.contains("@DocumentID var documentID: String?") && text.contains("case id2 = \"_id\"\n        case id\n"))
    }

    @Test func `a name that was changed is checked again`() throws {
        let text = try swift(documents(["field": ["a": 1], "firestore": ["b": 1], "stored": ["c": 1]]))
        for part in ["struct FieldValueValue", "struct FirestoreValueValue", "struct Stored: Codable"] { #expect(text.contains(part), "\(part) in \(text)") }
        // In writings without capitals a type and a property would have one name.
        let plain = try swift(documents(["名前": ["a": 1], "3d": ["b": 1]]))
        #expect(plain.contains("var 名前: 名前2") && plain.contains("var _3d: _3d2"))
    }

    @Test func `a case never means nil in an Optional of its enumeration`() throws {
        let text = try swift(many(120) { ["state": $0 == 0 ? .null : .string(["none", "some", "set"][$0 % 3])] })
        #expect(text.contains("case noneValue\n        case set\n        case someValue") && text.contains("case \"none\": self = .noneValue"))
    }

    @Test func `words that are keywords only in some positions have no back-ticks`() throws {
        let text = try swift(documents(["open": 1, "any": 2, "copy": 3, "actor": 4, "await": 5]))
        for part in ["var open: Int", "var any: Int", "var copy: Int", "var actor: Int", "var `await`: Int"] { #expect(text.contains(part), "\(part)") }
    }

    @Test func `dates as milliseconds and with slashes are remarked`() throws {
        let text = try swift(documents(["at": 1_700_000_000_000, "on": "2012/01/01", "n": 1], ["at": 1_600_000_000_000, "on": "2013/12/31", "n": 1_700_000_000_000]))
        #expect(text.contains("// milliseconds since 1970? a timestamp would be read as a date\n    var at: Int"))
        #expect(text.contains("// dates with slashes; a timestamp would sort and compare\n    var on: String") && text.components(separatedBy: "milliseconds").count == 2)
    }

    @Test func `reserved names contain every public type of the modules that the code imports`() throws {
        let sources = repositoryRoot.appendingPathComponent("Sources/App")
        var names: Set<String> = []
        for module in ["FirebaseFirestore", "FirebaseCore", "FirebaseSharedSwift"] {
            let files = FileManager.default.enumerator(atPath: sources.appendingPathComponent(module).path)
            while let file = files?.nextObject() as? String {
                guard file.hasSuffix(".swift") else { continue }
                let text = try String(contentsOf: sources.appendingPathComponent("\(module)/\(file)"), encoding: .utf8)
                for match in text.matches(of: /(?m)^(?:@\w+ )*public (?:final |indirect )*(?:class|struct|enum|protocol|typealias|actor) (\w+)/) { names.insert(String(match.output.1)) }
            }
        }
        #expect(names.count > 50 && names.subtracting(ReservedNames.types).isEmpty, "\(names.subtracting(ReservedNames.types).sorted())")
    }

    // MP-21
    @Test func `equal nested types with one name are one type`() throws {
        func address(_ more: [(String, Value)] = []) -> Value { .map(FieldMap([("street", "a"), ("zip", 1)] + more)) }
        let equal = try swift(documents(["billing": ["address": address()], "shipping": ["address": address()]]))
        #expect(equal.components(separatedBy: "struct Address").count == 2)
        #expect(equal.contains("\n    struct Address: Codable {"))
        let different = try swift(documents(["billing": ["address": address([("box", 2)])], "shipping": ["address": address()]]))
        #expect(different.components(separatedBy: "struct Address").count == 3)
    }

    // A name or an id cannot leave the comment or literal it stands in.
    @Test func `stored names cannot end a literal or a comment`() throws {
        let evil = "a\"\n}\nimport Evil // \\(1) \u{202E}\u{2028}"
        let text = try swift([TestDocument("x\nimport Evil", [evil: 1]), TestDocument("y", [:])] + many(400) { _ in [:] })
        #expect(!text.split(whereSeparator: \.isNewline).contains { $0.hasPrefix("import Evil") || $0.hasPrefix("}") && $0 != "}" })
        #expect(text.contains("case aImportEvil1 = \"a\\\"\\n}\\nimport Evil // \\\\(1) \\u{202E}\\u{2028}\""))
        #expect(text.contains("x\\nimport Evil"))
    }

    // Whatever scalar would end a line or hide one, wherever names and ids stand.
    @Test func `no scalar in a name, an id or a collection ends a comment`() throws {
        let categories: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        let scalars = (0...0x10FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init).filter { categories.contains($0.properties.generalCategory) }
        #expect(scalars.count > 200)
        func print(_ mark: String) throws -> (text: String, name: String) {
            let name = "tags \(mark) init()"
            let evil: [String: Value] = [name: [.null, 1, "x"], "r": .reference("projects/p/databases/(default)/documents/\(name)/a")]
            let documents = [TestDocument("x \(mark) import Evil", evil)] + many(150) { _ in [name: [1], "r": "x"] }
            return (SwiftPrinter().text(try tree(documents), collection: "things \(mark) a", name: "Thing", remarks: ["below \(mark) x"]), name)
        }
        func code(_ printed: (text: String, name: String)) -> [Substring] {
            printed.text.replacing(StoredText.literal(printed.name), with: "NAME").split(separator: "\n")
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }
        }
        let harmless = code(try print("-"))
        #expect(harmless.contains { $0.contains("NAME") })
        for scalar in scalars {
            let printed = try print(String(Character(scalar)))
            #expect(code(printed) == harmless, "\(scalar.value)")
            #expect(!printed.text.unicodeScalars.contains { $0 != "\n" && categories.contains($0.properties.generalCategory) }, "\(scalar.value)")
        }
        let attack = try swift(documents(["tags\n    init(from decoder: any Decoder) throws { fatalError() }\n//": [.null, 1]]))
        #expect(!attack.split(separator: "\n").contains { $0.drop { $0 == " " }.hasPrefix("init(") }, "\(attack)")
    }

    @Test func `protocols that the code uses are not hidden`() throws {
        for name in ["CaseIterable", "Codable", "Hashable", "Sendable", "RawRepresentable", "CodingKey", "Identifiable"] { #expect(!SwiftPrinter.isFree(name)) }
        let text = try swift(many(60) { ["caseIterable": .string(["a", "b"][$0 % 2])] }, options: .closed)
        #expect(text.contains("enum CaseIterableValue: String, Codable, CaseIterable {"), "\(text)")
    }
}
