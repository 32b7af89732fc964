// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import FirestoreCoding

/// The keys of a model's documents as its table has them: those that a probe finds at top level.
struct FieldProbe {
    let requests: [ProbedKey]
    /// Why the type could not be decoded to its end.
    let stop: String?
    /// The stored properties of the decoded value: those with a wrapper begin with an underscore.
    private let properties: [String: Any]

    init<T: Decodable>(_ type: T.Type, standIns: [any Decodable]) {
        let result = KeyProbe.keys(of: type) { wanted in
            for value in standIns {
                if let value = Self.value(wanted, from: value) { return value }
            }
            return nil
        }
        requests = result.keys.filter { $0.path.count == 1 && $0.name != nil }
        stop = result.stop
        let children = result.value.map { Mirror(reflecting: $0).children.compactMap { child in child.label.map { ($0, child.value) } } }
        properties = Dictionary(children ?? []) { first, _ in first }
    }

    /// Whether a property may have a wrapper that reads a value if it is present, as `@Default` does. Not known without a value.
    func mayWrap(_ property: String, _ type: Any.Type) -> Bool {
        guard stop == nil else { return true }
        guard let wrapper = properties["_" + property] else { return false }
        return Mirror(reflecting: wrapper).children.contains { Swift.type(of: $0.value) == type }
    }

    private static func value<T: Decodable>(_ type: T.Type, from standIn: any Decodable) -> Any? {
        if let value = standIn as? T { return value }
        guard let wrapper = type as? any ReferenceWrapper.Type, let reference = standIn as? DocumentReference else { return nil }
        return wrapper.init(reference)
    }
}

extension ProbedKey {
    /// The coding key of a field at top level.
    var name: String? {
        if case .name(let name)? = path.first { name } else { nil }
    }

    /// Kind and type that the table has to have.
    var expectation: (kind: Any.Type, value: Any.Type) {
        if let wrapper = type as? any KnownWrapper.Type { return (wrapper.kind, wrapper.wrapped) }
        if let optional = type as? any OptionalType.Type { return (FieldKind.Optional.self, optional.wrapped) }
        return (presence == .ifPresent ? FieldKind.Optional.self : FieldKind.Required.self, type)
    }

    /// Whether the type reads the value by itself, so that its type is not known.
    var isOpaque: Bool { type == Any.self || type == [Any].self || type == [String: Any].self }

    /// The types of the values that a wrapper holds.
    var contents: [Any.Type] {
        standIn.map { Mirror(reflecting: $0).children.map { Swift.type(of: $0.value) } } ?? []
    }
}

/// `Optional`, whatever it wraps.
protocol OptionalType {
    static var wrapped: Any.Type { get }
}

extension Optional: OptionalType {
    static var wrapped: Any.Type { Wrapped.self }
}

/// The wrappers that have a kind.
protocol KnownWrapper {
    static var kind: Any.Type { get }
    static var wrapped: Any.Type { get }
}

extension DocumentID: KnownWrapper {
    static var kind: Any.Type { FieldKind.DocumentID.self }
    static var wrapped: Any.Type { Value.self }
}

extension ServerTimestamp: KnownWrapper {
    static var kind: Any.Type { FieldKind.ServerTimestamp.self }
    static var wrapped: Any.Type { Value.self }
}

extension ExplicitNull: KnownWrapper {
    static var kind: Any.Type { FieldKind.ExplicitNull.self }
    static var wrapped: Any.Type { Value.self }
}

/// ``ModelReference``, whatever it refers to.
protocol ReferenceWrapper {
    init(_ reference: DocumentReference)
}

extension ModelReference: ReferenceWrapper {}
