// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Index definitions as bytes, described in `docs/reference/storage-format.md`: equal definitions have equal bytes.
package enum IndexDefinitionEncoding {
    package static func encode(_ definition: IndexDefinition) -> [UInt8] {
        var bytes = [letter(definition.scope), letter(definition.nameDirection)]
        bytes.appendLengthDelimited(definition.collectionID.utf8)
        for field in definition.fields {
            bytes.append(letter(field.mode))
            bytes.appendVarint(UInt64(field.path.segments.count))
            for segment in field.path.segments { bytes.appendLengthDelimited(segment.utf8) }
        }
        return bytes
    }

    /// nil if the bytes are damaged.
    package static func decode(_ bytes: UnsafeRawBufferPointer) -> IndexDefinition? {
        guard let start = bytes.baseAddress else { return nil }
        var reader = WireReader(position: start, end: start + bytes.count)
        guard let scope = reader.byte().flatMap(scope), let direction = reader.byte().flatMap(direction),
            let collectionID = text(&reader)
        else { return nil }
        var fields: [IndexDefinition.Field] = []
        while !reader.isAtEnd {
            guard let mode = reader.byte().flatMap(mode), let count = reader.varint(), count > 0 else { return nil }
            var segments: [String] = []
            for _ in 0..<count {
                guard let segment = text(&reader), !segment.isEmpty else { return nil }
                segments.append(segment)
            }
            fields.append(IndexDefinition.Field(FieldPathSegments(segments), mode))
        }
        return IndexDefinition(collectionID: collectionID, scope: scope, fields: fields, nameDirection: direction)
    }

    private static func text(_ reader: inout WireReader) -> String? {
        reader.lengthDelimited().flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func letter(_ scope: IndexDefinition.Scope) -> UInt8 {
        switch scope {
        case .collection: UInt8(ascii: "c")
        case .collectionGroup: UInt8(ascii: "g")
        }
    }

    private static func scope(_ letter: UInt8) -> IndexDefinition.Scope? {
        IndexDefinition.Scope.allCases.first { Self.letter($0) == letter }
    }

    private static func letter(_ direction: SortOrder.Direction) -> UInt8 {
        UInt8(ascii: direction == .ascending ? "a" : "d")
    }

    private static func direction(_ letter: UInt8) -> SortOrder.Direction? {
        [.ascending, .descending].first { Self.letter($0) == letter }
    }

    private static func letter(_ mode: IndexDefinition.Field.Mode) -> UInt8 {
        switch mode {
        case .ascending: UInt8(ascii: "a")
        case .descending: UInt8(ascii: "d")
        case .arrayContains: UInt8(ascii: "c")
        }
    }

    private static func mode(_ letter: UInt8) -> IndexDefinition.Field.Mode? {
        IndexDefinition.Field.Mode.allCases.first { Self.letter($0) == letter }
    }
}
