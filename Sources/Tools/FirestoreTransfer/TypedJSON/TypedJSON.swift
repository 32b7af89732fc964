// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// JSON that preserves the types of Firestore, in both directions and without loss; `docs/reference/cli.md` describes it.
///
/// null, booleans, strings, arrays and maps are JSON's own. A number without a point or an exponent is an integer, any
/// other a double. Other types are objects with one member whose name begins with a dollar sign:
///
///     {"$timestamp": "2026-11-21T09:30:00.25Z"}      {"$bytes": "SGVhcnRo"}
///     {"$geopoint": {"latitude": 37.8, "longitude": -122.4}}
///     {"$reference": "cities/SF"}                     {"$vector": [0.5, 1.0]}
///     {"$double": "NaN"}                              {"$map": {"$price": 3}}
///
/// The last one is a map that would look like one of the others: only maps with exactly one field whose name begins
/// with a dollar sign are written in this way. The fields of a document are always a map and need no mark.
package enum TypedJSON {
    /// The maximum nesting of arrays and objects in a text; each of a document's twenty levels takes at most two.
    static let nesting = 100

    /// Reads an object with the fields of a document.
    package static func fields(_ text: some Sequence<UInt8>, in database: DatabaseID) throws(FirestoreError) -> FieldBytes {
        var reader = TypedJSONReader(database: database)
        return try reader.fields([UInt8](text))
    }

    /// Reads one value of any kind.
    package static func value(_ text: some Sequence<UInt8>, in database: DatabaseID) throws(FirestoreError) -> ValueBytes {
        var reader = TypedJSONReader(database: database)
        return try reader.value([UInt8](text))
    }

    /// The canonical text of a document's fields.
    package static func text(
        _ fields: FieldBytes, in database: DatabaseID, _ layout: TypedJSONWriter.Layout = .compact
    ) throws(FirestoreError) -> String {
        var writer = TypedJSONWriter(database: database, layout: layout)
        try writer.append(fields)
        return writer.text
    }

    /// The canonical text of a value.
    package static func text(
        _ value: ValueBytes, in database: DatabaseID, _ layout: TypedJSONWriter.Layout = .compact
    ) throws(FirestoreError) -> String {
        var writer = TypedJSONWriter(database: database, layout: layout)
        try writer.append(value.view)
        withExtendedLifetime(value) {}
        return writer.text
    }
}

/// The type of an object with one member, by the name of that member.
enum TypedJSONTag: String, CaseIterable {
    case timestamp = "$timestamp"
    case bytes = "$bytes"
    case geopoint = "$geopoint"
    case reference = "$reference"
    case vector = "$vector"
    case double = "$double"
    /// Never written; accepted from programs whose JSON does not have 64-bit integers.
    case integer = "$integer"
    case map = "$map"

    init?(_ name: some Sequence<UInt8>) {
        guard let tag = Self.allCases.first(where: { name.elementsEqual($0.rawValue.utf8) }) else { return nil }
        self = tag
    }
}
