// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension EmbeddedMessage {
    /// The paths of a `DocumentMask`; nil if there is none, which is different from an empty one (WR-5).
    ///
    /// - Parameter limit: How many there may be: `readMask` or `writeMask`.
    func fieldPaths(_ limit: Limit) throws(FirestoreError) -> [FieldPathSegments]? {
        guard let bytes else { return nil }
        var texts: [ByteSlice] = []
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { field.append(to: &texts) }
        }
        try limit.check(texts.count)
        var paths: [FieldPathSegments] = []
        paths.reserveCapacity(texts.count)
        for text in texts {
            let path = try PathCheck.fieldPath(wire: try String(wire: text))
            // In a mask for reading, `__name__` has no effect; one for writing is checked with the write (DM-21).
            if !path.isDocumentID { try PathCheck.checkWritable(path) }
            paths.append(path)
        }
        return paths
    }
}

extension ReverseWriter {
    mutating func mask(_ number: Int, _ paths: [FieldPathSegments]?) {
        guard let paths else { return }
        message(number) { writer in
            for path in paths.reversed() { writer.element(1, path.canonical) }
        }
    }
}
