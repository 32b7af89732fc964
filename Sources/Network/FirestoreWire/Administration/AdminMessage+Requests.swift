// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
import HearthBase

extension AdminMessage {
    /// A message that a client sent in JSON, in the one spelling that methods read: names in camel case, enumerations by name, null
    /// and unknown members left out. Throws `invalidArgument` with the place of a member of another type.
    package func checked(_ json: JSON) throws(FirestoreError) -> JSON { try checked(JSONNode(json)) }

    private func checked(_ node: JSONNode) throws(FirestoreError) -> JSON {
        let fields = fields
        var members: [(name: String, value: JSON)] = []
        var chosen: [Int: String] = [:]
        for (name, member) in try node.entries() {
            // Clients are newer than servers: what is unknown here is ignored, as the service does.
            guard let field = fields.first(where: { $0.isCalled(name) }) else { continue }
            if case .null = member.json { continue }
            if case .oneof(let group) = field.shape {
                if let other = chosen[group], !equalUTF8(other, field.name) {
                    throw node.failure("\"\(other)\" and \"\(field.name)\" exclude each other; send one of them")
                }
                chosen[group] = field.name
            }
            members.removeAll { equalUTF8($0.name, field.name) }
            members.append((field.name, try Self.checked(member, field)))
        }
        return .object(members)
    }

    private static func checked(_ node: JSONNode, _ field: AdminField) throws(FirestoreError) -> JSON {
        switch field.shape {
        case .single, .oneof: return try checked(node, field.kind)
        case .repeated:
            var elements: [JSON] = []
            for element in try node.elements() { elements.append(try checked(element, field.kind)) }
            return .array(elements)
        case .map:
            var entries: [(name: String, value: JSON)] = []
            for entry in try node.entries() { entries.append((entry.name, .string(try entry.node.string()))) }
            return .object(entries)
        }
    }

    private static func checked(_ node: JSONNode, _ kind: AdminField.Kind) throws(FirestoreError) -> JSON {
        switch kind {
        case .boolean: return .boolean(try node.boolean())
        case .int32:
            guard let number = Int32(exactly: try node.integer()) else { throw node.failure("a whole number of 32 bits is expected") }
            return .number(number)
        case .int64: return .string(String(try node.integer()))
        case .string: return .string(try node.string())
        case .bytes:
            guard let bytes = Base64.decode(try node.string()) else { throw node.failure("base64 is expected") }
            return .string(Base64.encode(bytes))
        case .enumeration(let values): return .string(try value(node, values).name)
        case .message(let type): return try type.checked(node)
        case .timestamp: return .string(try time(node).text)
        case .duration: return .string(try duration(node).text)
        case .fieldMask: return .string(AdminMask.paths(try node.string()).joined(separator: ","))
        case .any: throw node.failure("this field cannot be set in a request")
        }
    }
}
