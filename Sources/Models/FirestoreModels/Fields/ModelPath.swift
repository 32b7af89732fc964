// SPDX-License-Identifier: Apache-2.0
package import FirestoreCoding
package import FirestoreCore

/// The path of a model's field: its coding keys from the document down.
///
/// A class, so that copying a field costs one reference.
package final class ModelPath: Sendable {
    /// Empty for the document's id.
    package let keys: [FieldKey]
    /// The path in documents if no key strategy is set.
    package let segments: Result<FieldPathSegments, FirestoreError>

    package init(_ keys: [FieldKey]) {
        self.keys = keys
        segments = Self.path(keys.map(\.key.stringValue))
    }

    private init() {
        keys = []
        segments = .success(.documentID)
    }

    /// The id of the document (MP-48).
    package static let documentID = ModelPath()

    package var isDocumentID: Bool { keys.isEmpty }

    package func appending(_ inner: ModelPath) -> ModelPath {
        // A nested `@DocumentID` is the id of the same document (R76).
        inner.isDocumentID ? inner : ModelPath(keys + inner.keys)
    }

    package func appending(dictionaryKey: String) -> ModelPath { ModelPath(keys + [FieldKey(dictionaryKey: dictionaryKey)]) }

    package static func path(_ names: [String]) -> Result<FieldPathSegments, FirestoreError> {
        Result { () throws(FirestoreError) in
            let path = try PathCheck.fieldPath(segments: names)
            // Otherwise a property stored as `__name__` would be the document's id.
            try PathCheck.checkWritable(path)
            return path
        }
    }

    /// The path for messages.
    package var text: String {
        switch segments {
        case .success(let path): path.canonical
        case .failure: keys.map(\.key.stringValue).joined(separator: ".")
        }
    }
}
