// SPDX-License-Identifier: Apache-2.0
package import FirebaseFirestore
package import FirestoreCore

/// One change of a field, for `update`: `.increment(\.population, by: 10)`.
///
/// Its value is encoded by the encoder of the document that is updated, as `set` would encode it.
///
/// Beyond the Apple SDK.
public struct FieldUpdate<Model: FirestoreModel> {
    package enum Change {
        case set(any Encodable)
        case delete
        case serverTimestamp
        case increment(any Encodable)
        case minimum(any Encodable)
        case maximum(any Encodable)
        case arrayUnion([any Encodable])
        case arrayRemove([any Encodable])
    }

    package let path: ModelPath
    package let change: Change

    init<Value, Kind>(_ field: KeyPath<Model.Fields, ModelField<Model, Value, Kind>>, _ change: Change) {
        path = Model.fields[keyPath: field].path
        self.change = change
    }
}

extension FieldUpdate {
    /// The content of an update of a document.
    package static func content(
        _ updates: [FieldUpdate], _ coder: ModelCoder<Model>, in firestore: Firestore
    ) throws(FirestoreError) -> UpdateContent {
        var content = UpdateContent()
        for update in updates {
            let path = try coder.segments(of: update.path)
            guard !content.keys.contains(path) else {
                throw .invalidArgument(
                    "an update names the field twice; combine the changes, or make two updates", at: "field \(path.canonical)")
            }
            content.keys.append(path)
            try update.add(to: &content, path, coder, in: firestore)
        }
        return content
    }

    /// Returns the content of the updates, or the error, as a `Result`.
    package static func result(
        _ updates: [FieldUpdate], _ coder: ModelCoder<Model>, in firestore: Firestore
    ) -> Result<UpdateContent, FirestoreError> {
        Result { () throws(FirestoreError) in try content(updates, coder, in: firestore) }
    }

    private func add(
        to content: inout UpdateContent, _ path: FieldPathSegments, _ coder: ModelCoder<Model>, in firestore: Firestore
    ) throws(FirestoreError) {
        switch change {
        case .delete: content.deletions.append(path)
        case .serverTimestamp: content.transforms.append(FieldTransform(path: path, kind: .serverTimestamp))
        case .set(let value):
            let encoded = try coder.encode(value, at: self.path, in: firestore)
            content.transforms += encoded.transforms
            guard encoded.deletes.isEmpty else {
                throw .invalidArgument("FieldValue.delete() cannot be set; use .delete", at: "field \(path.canonical)")
            }
            let fields = encoded.fields
            defer { withExtendedLifetime(fields) {} }
            if let view = fields.view[path] { content.values.append((path, try Value(view))) }
        case .increment(let number): try transform(.increment(try operand(number, path, coder, in: firestore)))
        case .minimum(let number): try transform(.minimum(try operand(number, path, coder, in: firestore)))
        case .maximum(let number): try transform(.maximum(try operand(number, path, coder, in: firestore)))
        case .arrayUnion(let elements): try transform(.appendMissingElements(try operands(elements, path, coder, in: firestore)))
        case .arrayRemove(let elements): try transform(.removeAllFromArray(try operands(elements, path, coder, in: firestore)))
        }

        func transform(_ kind: FieldTransform.Kind) throws(FirestoreError) {
            content.transforms.append(FieldTransform(path: path, kind: kind))
        }
    }

    private func operands(
        _ elements: [any Encodable], _ path: FieldPathSegments, _ coder: ModelCoder<Model>, in firestore: Firestore
    ) throws(FirestoreError) -> [Value] {
        try elements.map { (element) throws(FirestoreError) in try operand(element, path, coder, in: firestore) }
    }

    private func operand(
        _ value: any Encodable, _ path: FieldPathSegments, _ coder: ModelCoder<Model>, in firestore: Firestore
    ) throws(FirestoreError) -> Value {
        let encoded = try coder.encode(value, at: self.path, in: firestore)
        guard encoded.sentinels.isEmpty else {
            throw .invalidArgument("an element cannot contain a FieldValue or an empty server timestamp", at: "field \(path.canonical)")
        }
        let fields = encoded.fields
        defer { withExtendedLifetime(fields) {} }
        guard let view = fields.view[path] else { throw .invalidArgument("the value encodes to nothing", at: "field \(path.canonical)") }
        return try Value(view)
    }
}
