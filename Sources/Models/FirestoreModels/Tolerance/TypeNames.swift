// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore

/// Types as one writes them: `[Tag]` for `Array<Tag>`, `String?` for the wrapper of an optional.
enum TypeNames {
    static func name(_ type: Any.Type) -> String {
        if type == [String: Any].self { return "map" }
        if type == [Any].self { return "array" }
        if type == Any?.self { return "any" }
        return (type as? any NamedType.Type)?.writtenName ?? "\(type)"
    }
}

/// A type that is written otherwise than its generic name.
package protocol NamedType {
    static var writtenName: String { get }
}

extension Optional: NamedType { package static var writtenName: String { TypeNames.name(Wrapped.self) + "?" } }
extension Array: NamedType { package static var writtenName: String { "[" + TypeNames.name(Element.self) + "]" } }
extension Dictionary: NamedType {
    package static var writtenName: String { "[" + TypeNames.name(Key.self) + ": " + TypeNames.name(Value.self) + "]" }
}
extension Set: NamedType { package static var writtenName: String { "Set<" + TypeNames.name(Element.self) + ">" } }
extension ExplicitNull: NamedType { package static var writtenName: String { TypeNames.name(Value.self) + "?" } }
extension ServerTimestamp: NamedType { package static var writtenName: String { TypeNames.name(Value.self) + "?" } }
