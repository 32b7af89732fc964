// SPDX-License-Identifier: Apache-2.0

/// The output of the compiler for a ruleset.
struct CompiledRules: Sendable {
    var version: Int
    var program = Program()
    var table = MatchTable()
    /// The allow statements of each pattern of the table.
    var statements: [[AllowStatement]] = []

    mutating func setDeepConditions(_ depth: ProgramDepth) {
        for pattern in statements.indices {
            for index in statements[pattern].indices {
                guard let condition = statements[pattern][index].condition else { continue }
                statements[pattern][index].isDeep = depth.levels[condition] > RulesLimits.shallowLevels
            }
        }
    }
}

struct AllowStatement: Sendable {
    let methods: MethodSet
    /// Nil if it always grants.
    let condition: NodeID?
    let range: SourceRange
    /// The path of its match and those around it, for explanations.
    let matchPath: String
    /// Whether the evaluation of the condition needs a large stack.
    var isDeep = false
}

/// The methods of an allow statement.
struct MethodSet: OptionSet, Sendable {
    let rawValue: UInt8

    static let get = MethodSet(rawValue: 1)
    static let list = MethodSet(rawValue: 2)
    static let create = MethodSet(rawValue: 4)
    static let update = MethodSet(rawValue: 8)
    static let delete = MethodSet(rawValue: 16)
    static let read: MethodSet = [.get, .list]
    static let write: MethodSet = [.create, .update, .delete]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ method: RulesMethod) {
        switch method {
        case .get: self = .get
        case .list: self = .list
        case .create: self = .create
        case .update: self = .update
        case .delete: self = .delete
        }
    }

    /// Nil if there is no such method (SR-12).
    init?(name: String) {
        switch name {
        case "read": self = .read
        case "write": self = .write
        default:
            guard let method = RulesMethod(rawValue: name) else { return nil }
            self.init(method)
        }
    }
}
