// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// One change of a document's fields. Making it twice has no further effect.
package enum FieldEdit: Sendable {
    /// The value moves from one path to another.
    case move(FieldPathSegments, to: FieldPathSegments)
    /// Sets the value where there is no field. Null is a value.
    case setDefault(FieldPathSegments, ValueBytes)
    case remove(FieldPathSegments)
    case convert(FieldPathSegments, to: FieldConversion)
    /// Says which version the document has: the last edit of a migration.
    case setVersion(FieldPathSegments, Int64)

    /// Throws `failedPrecondition` with the field if the document has something in the way; the fields are in an undefined state then.
    ///
    /// - Returns: Whether it changed something.
    @discardableResult
    package func apply(to fields: inout FieldMap) throws(FirestoreError) -> Bool {
        switch self {
        case .move(let source, let destination):
            guard let value = fields[source] else { return false }
            guard fields[destination] == nil else { throw Self.obstacle("there is a field of the new name already", at: destination) }
            fields[source] = nil
            try Self.set(value, at: destination, in: &fields)
        case .setDefault(let path, let value):
            guard fields[path] == nil else { return false }
            try Self.set(try value.value, at: path, in: &fields)
        case .remove(let path):
            guard fields[path] != nil else { return false }
            fields[path] = nil
        case .convert(let path, let conversion):
            guard let value = fields[path] else { return false }
            guard let converted = conversion.convert(value) else {
                throw Self.obstacle("\(value.kindName) cannot become \(conversion.phrase) without loss", at: path)
            }
            guard ValueBytes(converted) != ValueBytes(value) else { return false }
            try Self.set(converted, at: path, in: &fields)
        case .setVersion(let path, let version):
            if case .integer(version)? = fields[path] { return false }
            try Self.set(.integer(version), at: path, in: &fields)
        }
        return true
    }

    /// False if it certainly changes nothing. Looks at the stored bytes.
    func mayChange(_ fields: FieldsView) -> Bool {
        switch self {
        case .move(let path, _), .remove(let path), .convert(let path, _): fields[path] != nil
        case .setDefault(let path, _): fields[path] == nil
        case .setVersion(let path, let version): fields[path]?.integer != version
        }
    }

    /// Throws `invalidArgument` for a name that no field can have: no document could be written.
    package func validate() throws(FirestoreError) {
        for path in paths {
            for name in path.segments where Self.isReserved(name) {
                throw .invalidArgument("names that begin and end with two underscores are reserved", at: "field \(path.canonical)")
            }
        }
    }

    package static func isReserved(_ name: String) -> Bool {
        var name = name
        return name.withUTF8 { NameRules.isReserved(UnsafeRawBufferPointer($0)) }
    }

    /// Sets a value; unlike a write of the whole path it does not replace parents that are not maps.
    package static func set(_ value: Value, at path: FieldPathSegments, in fields: inout FieldMap) throws(FirestoreError) {
        for count in 1..<path.segments.count {
            let parent = FieldPathSegments(Array(path.segments.prefix(count)))
            guard let existing = fields[parent] else { break }
            guard case .map = existing else { throw obstacle("the value is not a map, so nothing can be put into it", at: parent) }
        }
        fields[path] = value
    }

    private static func obstacle(_ message: String, at path: FieldPathSegments) -> FirestoreError {
        FirestoreError(.failedPrecondition, message, at: "field \(path.canonical)")
    }

    /// As it is given on a command line.
    package var title: String {
        switch self {
        case .move(let source, let destination): "rename \(source.canonical)=\(destination.canonical)"
        case .setDefault(let path, _): "default \(path.canonical)"
        case .remove(let path): "remove \(path.canonical)"
        case .convert(let path, let conversion): "convert \(path.canonical):\(conversion.rawValue)"
        case .setVersion(_, let version): "set-version \(version)"
        }
    }
}

extension Value {
    /// The type, for messages and reports that do not show values.
    var kindName: String { ValueBytes(self).view.kind.name }
}
