// SPDX-License-Identifier: Apache-2.0

/// The types that an expression can have, as far as the text of a ruleset determines them.
struct TypeSet: OptionSet, Sendable, Hashable {
    let rawValue: UInt32

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(_ type: ValueType) {
        let index = ValueType.allCases.firstIndex(of: type) ?? 0
        self.init(rawValue: 1 << UInt32(index))
    }

    static let null = TypeSet(.null)
    static let bool = TypeSet(.bool)
    static let bytes = TypeSet(.bytes)
    static let duration = TypeSet(.duration)
    static let float = TypeSet(.float)
    static let int = TypeSet(.int)
    static let latlng = TypeSet(.latlng)
    static let list = TypeSet(.list)
    static let set = TypeSet(.set)
    static let map = TypeSet(.map)
    static let mapDiff = TypeSet(.mapDiff)
    static let path = TypeSet(.path)
    static let string = TypeSet(.string)
    static let timestamp = TypeSet(.timestamp)
    static let vector = TypeSet(.vector)
    static let constraint = TypeSet(.constraint)
    static let number: TypeSet = [.int, .float]
    /// The set for an expression of unknown type.
    static let any = TypeSet(rawValue: UInt32.max)

    var types: [ValueType] { ValueType.allCases.filter { $0 != .number && contains(TypeSet($0)) } }

    /// The names of the types, for messages: `int,float`.
    var names: String { types.map(\.rawValue).joined(separator: ",") }

    var isAny: Bool { self == .any }
}
