// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

extension EmbeddedMessage {
    /// The paths of a `DocumentMask`; nil if there is none, which is different from an empty one (WR-5).
    var fieldPaths: [FieldPathSegments]? {
        get throws(FirestoreError) {
            guard let bytes else { return nil }
            var paths: [FieldPathSegments] = []
            var reader = MessageReader(bytes)
            while let field = try reader.next() {
                guard field.number == 1, let text = field.bytes else { continue }
                let path = try PathCheck.fieldPath(wire: try String(wire: text))
                // In a mask for reading, `__name__` has no effect; one for writing is checked with the write (DM-21).
                if !path.isDocumentID { try PathCheck.checkWritable(path) }
                paths.append(path)
            }
            return paths
        }
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
