// SPDX-License-Identifier: Apache-2.0
import FirestoreCoding

/// A field, without its types.
protocol AnyModelField {
    var anyPath: ModelPath { get }
    static var value: Any.Type { get }
    static var kind: Any.Type { get }
}

extension ModelField: AnyModelField {
    var anyPath: ModelPath { path }
    static var value: Any.Type { Value.self }
    static var kind: Any.Type { Kind.self }
}

/// The table of a model, for comparing.
struct FieldTable {
    private var entries: [(name: String, field: any AnyModelField)] = []

    init<Model: FirestoreModel>(_ model: Model.Type) {
        for child in Mirror(reflecting: Model.fields).children {
            if let name = child.label, let field = child.value as? any AnyModelField { entries.append((name, field)) }
        }
    }

    /// Returns the differences between the table and the requested fields, one sentence each.
    func findings(against probed: FieldProbe) -> [String] {
        var result: [String] = []
        for request in probed.requests {
            guard let key = request.name else { continue }
            let expected = request.expectation
            let found = entries.filter { entry in
                let isID = type(of: entry.field).kind == FieldKind.DocumentID.self
                return expected.kind == FieldKind.DocumentID.self ? isID : entry.field.key == key
            }
            guard let (name, field) = found.first else {
                result.append("\(key): missing; add ModelField<…, \(expected.value), FieldKind.\(expected.kind)>")
                continue
            }
            let (value, kind) = (type(of: field).value, type(of: field).kind)
            if kind == expected.kind, value == expected.value { continue }
            // A property wrapper that is not known here: its content has the type of the property.
            if kind == FieldKind.Required.self, request.isOpaque || request.contents.contains(where: { $0 == value }) { continue }
            let isUnwrapped = kind == FieldKind.Required.self && expected.kind == FieldKind.Optional.self && value == expected.value
            if isUnwrapped, probed.mayWrap(name, value) { continue }
            let decoded = "\(expected.value), FieldKind.\(expected.kind)"
            result.append("\(name): is ModelField<…, \(value), FieldKind.\(kind)>, but the type decodes \(decoded)")
        }
        let requested = Set(probed.requests.compactMap(\.name))
        for entry in entries where type(of: entry.field).kind != FieldKind.DocumentID.self {
            guard let key = entry.field.key else {
                result.append("\(entry.name): is not one key of the document")
                continue
            }
            guard !requested.contains(key) else { continue }
            result.append(
                probed.stop == nil
                    ? "\(entry.name): the type does not decode the field \(key)"
                    : "\(entry.name): not verified, because decoding ended before it")
        }
        if let stop = probed.stop { result.append("\(stop); pass one in standIns") }
        return result
    }
}

extension AnyModelField {
    /// The coding key of a field at top level.
    fileprivate var key: String? { anyPath.keys.count == 1 ? anyPath.keys[0].key.stringValue : nil }
}
