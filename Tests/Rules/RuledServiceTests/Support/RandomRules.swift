// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport

@testable import FirestoreEnforcement

/// A condition of a small grammar, and what it means, defined a second time and without rules.
indirect enum Condition: Sendable {
    case always, never, signedIn, open, owner, above(Int64), level(Int64), hasRole
    case and(Condition, Condition)
    case or(Condition, Condition)

    static func random(_ depth: Int, _ random: inout SeededRandom) -> Condition {
        switch random.number(depth == 0 ? 8 : 12) {
        case 0: .always
        case 1: .never
        case 2: .signedIn
        case 3: .open
        case 4: .owner
        case 5: .above(Int64(random.number(4)))
        case 6: .level(Int64(random.number(3)))
        case 7: .hasRole
        case 8, 9: .and(self.random(depth - 1, &random), self.random(depth - 1, &random))
        default: .or(self.random(depth - 1, &random), self.random(depth - 1, &random))
        }
    }

    /// As rules have it, about `resource` or `request.resource`.
    func text(_ resource: String) -> String {
        let role = "/databases/$(db)/documents/roles/$(request.auth.uid)"
        switch self {
        case .always: return "true"
        case .never: return "false"
        case .signedIn: return "request.auth != null"
        case .open: return "\(resource).data.open == true"
        case .owner: return "\(resource).data.owner == request.auth.uid"
        case .above(let bound): return "\(resource).data.n > \(bound)"
        case .level(let bound): return "get(\(role)).data.level >= \(bound)"
        case .hasRole: return "exists(\(role))"
        case .and(let left, let right): return "(\(left.text(resource)) && \(right.text(resource)))"
        case .or(let left, let right): return "(\(left.text(resource)) || \(right.text(resource)))"
        }
    }

    /// Nil if it has no value, because something is missing.
    func value(_ item: Item?, _ uid: String?, _ world: World) -> Bool? {
        switch self {
        case .always: return true
        case .never: return false
        case .signedIn: return uid != nil
        case .open: return item.map { $0.open }
        case .owner:
            guard let item, let uid else { return nil }
            return item.owner == uid
        case .above(let bound): return item.map { $0.n > bound }
        case .level(let bound): return uid.flatMap { world.levels[$0] }.map { $0 >= bound }
        case .hasRole: return uid.map { world.levels[$0] != nil }
        case .and(let left, let right):
            let (left, right) = (left.value(item, uid, world), right.value(item, uid, world))
            return left == false || right == false ? false : left == nil || right == nil ? nil : true
        case .or(let left, let right):
            let (left, right) = (left.value(item, uid, world), right.value(item, uid, world))
            return left == true || right == true ? true : left == nil || right == nil ? nil : false
        }
    }
}

/// A document of the collection `c`.
struct Item: Sendable, Equatable {
    var open: Bool
    var owner: String
    var n: Int64

    init(_ random: inout SeededRandom) {
        open = random.number(2) == 0
        owner = ["u1", "u2", "u3"][random.number(3)]
        n = Int64(random.number(5))
    }

    init?(_ document: Document?) {
        guard let fields = try? document?.fields.map, case .boolean(let open)? = fields["open"], case .string(let owner)? = fields["owner"],
            case .integer(let n)? = fields["n"]
        else { return nil }
        (self.open, self.owner, self.n) = (open, owner, n)
    }

    func write(_ path: String) -> Write {
        .set(path, ("open", .boolean(open)), ("owner", .string(owner)), ("n", .integer(n)))
    }
}

/// The documents that rules and data consist of.
struct World: Sendable {
    var items: [String: Item] = [:]
    var levels: [String: Int64] = [:]
}

struct SeededRandom {
    private var generator: SeededGenerator

    init(_ seed: UInt64) { generator = SeededGenerator(seed: seed) }

    /// Below a bound.
    mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }
}
