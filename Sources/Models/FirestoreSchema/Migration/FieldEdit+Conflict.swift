// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Edits that cannot be made together. Passes over the documents are repeated, so making all edits on their own result must change
/// nothing, and the order of edits of one kind must not matter.
extension FieldEdit {
    /// Two of the edits, or one with itself.
    package struct Conflict: Sendable, Equatable {
        package var first: Int
        package var second: Int
        /// The field that both concern.
        package var field: FieldPathSegments
    }

    /// The first two edits, in the order in which they are made, that cannot be made together.
    package static func conflict(in edits: [FieldEdit]) -> Conflict? {
        for (second, edit) in edits.enumerated() {
            if case .move(let source, let destination) = edit, source.overlaps(destination) {
                return Conflict(first: second, second: second, field: source)
            }
            for first in 0..<second {
                if let field = conflict(edits[first], before: edit) { return Conflict(first: first, second: second, field: field) }
            }
        }
        return nil
    }

    private static func conflict(_ first: FieldEdit, before second: FieldEdit) -> FieldPathSegments? {
        switch (first, second) {
        case (.move(let source, let destination), .move(let otherSource, let otherDestination)):
            if source.overlaps(otherSource) || source.overlaps(otherDestination) { return source }
            if destination.overlaps(otherSource) { return destination }
            // A field that had several names: of each document one of them is found, or it is reported.
            return destination.overlaps(otherDestination) && destination != otherDestination ? destination : nil
        case (.move(let source, let destination), .remove(let path)):
            if path.overlaps(destination) { return path }
            // The rest of the map that the field was in.
            return path.overlaps(source) && !(path.isPrefix(of: source) && path != source) ? path : nil
        case (.move(let source, let destination), .convert(let path, _)):
            // The field by its new name, or one in it.
            return path.overlaps(source) || (path.overlaps(destination) && !destination.isPrefix(of: path)) ? path : nil
        case (.move(let source, _), .setDefault(let path, _)):
            return path.overlaps(source) ? path : nil
        case (.convert(let path, let conversion), .setDefault(let other, let value)) where path == other:
            guard let value = try? value.value, let converted = conversion.convert(value) else { return path }
            return ValueBytes(converted) == ValueBytes(value) ? nil : path
        default:
            for path in first.paths {
                if let other = second.paths.first(where: { $0.overlaps(path) }) { return other }
            }
            return nil
        }
    }

    /// The fields that the edit reads or writes.
    var paths: [FieldPathSegments] {
        switch self {
        case .move(let source, let destination): [source, destination]
        case .setDefault(let path, _), .remove(let path), .convert(let path, _), .setVersion(let path, _): [path]
        }
    }
}

extension FieldPathSegments {
    /// They are the same, or one lies in the other.
    fileprivate func overlaps(_ other: FieldPathSegments) -> Bool { isPrefix(of: other) || other.isPrefix(of: self) }
}
