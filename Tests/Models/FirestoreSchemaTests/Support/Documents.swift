// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import FirestoreSchema
import TestSupport

/// A document of a test: an id and fields.
struct TestDocument {
    var id: String
    var fields: [String: Value]
    var times: SchemaTree.Times?

    init(_ id: String, _ fields: [String: Value], times: SchemaTree.Times? = nil) {
        (self.id, self.fields, self.times) = (id, fields, times)
    }

    var bytes: FieldBytes { FieldBytes(FieldMap(fields.map { ($0.key, $0.value) })) }
}

/// Documents with the ids `d000`, `d001`, ….
func documents(_ fields: [String: Value]...) -> [TestDocument] { numbered(fields) }

func numbered(_ fields: [[String: Value]]) -> [TestDocument] {
    fields.enumerated().map { TestDocument($0.offset < 1_000 ? "d" + String(1_000 + $0.offset).dropFirst() : "d\($0.offset)", $0.element) }
}

/// `count` documents that a closure makes of their numbers.
func many(_ count: Int, _ make: (Int) -> [String: Value]) -> [TestDocument] { numbered((0..<count).map(make)) }

func tree(_ documents: [TestDocument], database: DatabaseID? = nil, limits: SchemaLimits = SchemaLimits()) throws -> SchemaTree {
    let tree = SchemaTree(database: database, limits: limits)
    for document in documents { try tree.add(document.id, document.bytes, times: document.times) }
    return tree
}

/// What `hearth types` prints.
func swift(
    _ documents: [TestDocument], collection: String = "things", database: DatabaseID? = nil, options: TypeOptions = TypeOptions(),
    print: PrintOptions = PrintOptions()
) throws -> String {
    SwiftPrinter(types: options, options: print).text(try tree(documents, database: database), collection: collection)
}

extension TypeOptions {
    static let extras: TypeOptions = {
        var options = TypeOptions()
        options.usesExtras = true
        return options
    }()
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByFloatLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    package init(integerLiteral value: Int64) { self = .integer(value) }
    package init(stringLiteral value: String) { self = .string(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(arrayLiteral elements: Value...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, Value)...) { self = .map(FieldMap(elements)) }
}
