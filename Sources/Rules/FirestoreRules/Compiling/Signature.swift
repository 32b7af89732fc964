// SPDX-License-Identifier: Apache-2.0

/// The parameters and the result of a method or function.
struct Signature: Sendable {
    /// The type that a method belongs to; nil for a function.
    let receiver: ValueType?
    /// The namespace of a function, such as `math`; nil for methods and for functions without one.
    let namespace: String?
    let name: String
    let parameters: [TypeSet]
    let result: TypeSet

    private init(receiver: ValueType?, namespace: String?, _ name: String, _ parameters: [TypeSet], _ result: TypeSet) {
        self.receiver = receiver
        self.namespace = namespace
        self.name = name
        self.parameters = parameters
        self.result = result
    }

    static func method(_ receiver: ValueType, _ name: String, _ parameters: [TypeSet] = [], _ result: TypeSet) -> Signature {
        Signature(receiver: receiver, namespace: nil, name, parameters, result)
    }

    static func function(_ name: String, _ parameters: [TypeSet], _ result: TypeSet) -> Signature {
        Signature(receiver: nil, namespace: nil, name, parameters, result)
    }

    static func function(_ namespace: String, _ name: String, _ parameters: [TypeSet], _ result: TypeSet) -> Signature {
        Signature(receiver: nil, namespace: namespace, name, parameters, result)
    }

    /// `string.matches`, `math.abs`, `exists`
    var fullName: String { (receiver?.rawValue ?? namespace).map { "\($0).\(name)" } ?? name }

    /// `string.matches(string)`
    var description: String {
        let types = parameters.map { $0.isAny ? "any" : $0.names }
        return "\(fullName)(\(types.joined(separator: ", ")))"
    }

    // MARK: Looking up

    /// The methods of a name, of all types that have it.
    static func methods(_ name: String) -> [Signature] { methodsByName[name] ?? [] }

    static func method(_ name: String, of type: ValueType) -> Signature? { methods(name).first { $0.receiver == type } }

    /// The functions of a name: several if it takes different types.
    static func functions(_ fullName: String) -> [Signature] { functionsByName[fullName] ?? [] }

    static let namespaces: Set<String> = Set(namespaceFunctions.compactMap(\.namespace))

    private static let methodsByName = Dictionary(grouping: methods, by: \.name)
    private static let functionsByName = Dictionary(grouping: globalFunctions + namespaceFunctions, by: \.fullName)
}
