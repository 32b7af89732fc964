// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import TestSupport

@testable import FirestoreSync

/// One thing that happens in the world of a history. Numbers that pick something (`pick`) are taken modulo what there is, and what
/// makes no sense when its turn comes does nothing, so that every part of a history is a history.
enum ModelAction: Sendable {
    case write(client: Int, [Write])
    case listen(client: Int, query: Int)
    case unlisten(client: Int, pick: Int)
    case network(client: Int, isEnabled: Bool)
    /// The server takes requests of a client.
    case serve(client: Int, ModelStream, count: Int, salt: UInt64)
    /// Frames reach a client.
    case deliver(client: Int, ModelStream, count: Int)
    /// The server reports what has changed.
    case publish(client: Int, salt: UInt64)
    /// A connection is lost, with everything in flight to the client. Requests may still arrive, then or later.
    case breakStream(client: Int, ModelStream, FirestoreError.Code, salt: UInt64)
    /// A request of a connection that the client has given up arrives.
    case lateRequest(salt: UInt64)
    case fireTimer(client: Int, pick: Int)
    case pass(client: Int, milliseconds: Int)
    /// The process of a client with a file dies, and another one starts; it listens again, or not.
    case crash(client: Int, listensAgain: Bool)
    case changeUser(client: Int, user: Int)
    /// Another client writes at the server.
    case otherWrite([Write])
    /// The server ends a target, because it may not be read.
    case deny(client: Int, pick: Int)
    /// The server starts a target anew.
    case reset(client: Int, pick: Int)
    /// Whether lookups of documents that do not exist are refused.
    case refuseLookups(Bool)
    case collect(client: Int)
    case wait(client: Int)
    case cancel(client: Int, pick: Int)
    /// The store of a client fails from now on, or works again.
    case storeFails(client: Int, isFailing: Bool)
    /// Everything happens that can.
    case settle(salt: UInt64)
}

enum ModelStream: Sendable { case listen, write }

extension ModelAction {
    /// The client whose cache it may change.
    var client: Int? {
        switch self {
        case .write(let client, _), .listen(let client, _), .unlisten(let client, _), .network(let client, _), .deliver(let client, _, _),
            .breakStream(let client, _, _, _), .fireTimer(let client, _), .crash(let client, _), .changeUser(let client, _), .collect(let client),
            .cancel(let client, _), .storeFails(let client, _):
            client
        case .serve, .publish, .lateRequest, .pass, .otherWrite, .deny, .reset, .refuseLookups, .wait, .settle: nil
        }
    }

    var text: String {
        switch self {
        case .write(let client, let writes): "write(client: \(client), \(writes.map(\.text).joined(separator: ", ")))"
        case .otherWrite(let writes): "otherWrite(\(writes.map(\.text).joined(separator: ", ")))"
        case .listen(let client, let query): "listen(client: \(client), query: \(query) \(ModelSource.names[query % ModelSource.names.count]))"
        default: "\(self)".replacing("FirestoreSyncTests.ModelStream", with: "").replacing("FirestoreCore.FirestoreError.Code", with: "")
        }
    }
}

extension Write {
    /// For messages of tests.
    fileprivate var text: String {
        let condition = precondition.map { " if \($0)" } ?? ""
        switch operation {
        case .set(let fields): return "set \(key.path) {\(fields.text)}\(condition)"
        case .patch(let fields, _):
            return "patch \(key.path) {\(fields.text)}\(transforms.map { " \($0.path) \($0.kind)" }.joined())\(condition)"
        case .delete: return "delete \(key.path)"
        case .verify: return "verify \(key.path)"
        }
    }
}

/// How a world is made.
struct ModelSetup: Sendable {
    enum Authority: Sendable, CaseIterable {
        /// Write streams can be resumed.
        case resumable
        /// It does not know the wish to resume.
        case plain
    }

    struct Client: Sendable {
        var isFile: Bool
        var isEager: Bool
    }

    var seed: UInt64
    var authority: Authority
    var clients: [Client]
    var writeWindow: Int
}

struct ModelHistory: Sendable, CustomStringConvertible {
    var setup: ModelSetup
    var actions: [ModelAction]

    /// A history that was found before. All clients are alike.
    init(_ authority: ModelSetup.Authority, isFile: Bool = false, clients: Int = 1, _ actions: ModelAction...) {
        let client = ModelSetup.Client(isFile: isFile, isEager: false)
        setup = ModelSetup(seed: 1, authority: authority, clients: Array(repeating: client, count: clients), writeWindow: 10)
        self.actions = actions
    }

    /// The history of a seed.
    init(seed: UInt64, length: Int, writesFiles: Bool = true) {
        var source = ModelSource(random: SeededGenerator(seed: seed))
        let clients = (0..<Int.random(in: 1...3, using: &source.random)).map { _ in
            // Most caches are in memory, because files are slow to make.
            let isFile = writesFiles && source.chance(3)
            return ModelSetup.Client(isFile: isFile, isEager: !isFile && source.chance(2))
        }
        setup = ModelSetup(
            seed: seed, authority: source.chance(3) ? .plain : .resumable, clients: clients, writeWindow: source.chance(2) ? 10 : 2)
        source.clients = clients.count
        actions = []
        for _ in clients {
            for _ in 0..<2 { actions.append(source.listen()) }
        }
        // A history has a character of its own: some things happen often in it, and others never.
        let weights = ModelSource.weights.map { $0 * Int.random(in: 0...4, using: &source.random) }
        while actions.count < length { actions.append(source.action(weights)) }
    }

    var description: String {
        let lines = actions.map { "  \($0.text)" }.joined(separator: "\n")
        return "\(setup)\n\(lines)"
    }
}

/// Draws actions.
struct ModelSource {
    var random: SeededGenerator
    var clients = 1

    static let weights = [10, 3, 2, 1, 6, 6, 5, 2, 1, 2, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1, 1, 1]

    mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }
    private mutating func pick() -> Int { Int.random(in: 0..<60, using: &random) }
    private mutating func client() -> Int { Int.random(in: 0..<clients, using: &random) }
    private mutating func stream() -> ModelStream { chance(2) ? .listen : .write }

    mutating func listen() -> ModelAction { .listen(client: client(), query: pick()) }

    mutating func action(_ weights: [Int]) -> ModelAction {
        var place = Int.random(in: 0..<max(1, weights.reduce(0, +)), using: &random)
        var kind = 0
        while kind < weights.count - 1, place >= weights[kind] {
            place -= weights[kind]
            kind += 1
        }
        switch kind {
        case 0: return .write(client: client(), writes())
        case 1: return listen()
        case 2: return .unlisten(client: client(), pick: pick())
        case 3: return .network(client: client(), isEnabled: !chance(2))
        case 4: return .serve(client: client(), stream(), count: 1 + pick() % 4, salt: random.next())
        case 5: return .deliver(client: client(), stream(), count: 1 + pick() % 8)
        case 6: return .publish(client: client(), salt: random.next())
        case 7:
            let codes: [FirestoreError.Code] = [.unavailable, .unavailable, .internal, .resourceExhausted, .unauthenticated, .aborted]
            return .breakStream(client: client(), stream(), codes[pick() % codes.count], salt: random.next())
        case 8: return .lateRequest(salt: random.next())
        case 9: return .fireTimer(client: client(), pick: pick())
        case 10: return .pass(client: client(), milliseconds: [10, 1_000, 400_000][pick() % 3])
        case 11: return .crash(client: client(), listensAgain: !chance(3))
        case 12: return .changeUser(client: client(), user: pick() % 3)
        case 13: return .otherWrite(writes())
        case 14: return .deny(client: client(), pick: pick())
        case 15: return .reset(client: client(), pick: pick())
        case 16: return .refuseLookups(chance(2))
        case 17: return .collect(client: client())
        case 18: return .wait(client: client())
        case 19: return .cancel(client: client(), pick: pick())
        case 20: return .storeFails(client: client(), isFailing: chance(2))
        default: return .settle(salt: random.next())
        }
    }

    // MARK: Writes

    static let keys = ["c/a", "c/b", "c/c", "c/d", "d/a", "c/a/s/x", "c/b/s/x", "d/a/s/y"]
    static let counters = ["counters/a", "counters/b"]

    private mutating func writes() -> [Write] { (0..<(chance(4) ? 1 + pick() % 3 : 1)).map { _ in write() } }

    private mutating func number() -> Value { .integer(Int64(pick() % 5)) }

    private mutating func write() -> Write {
        let path = Self.keys[pick() % (chance(2) ? 3 : Self.keys.count)]
        let precondition: Precondition? = chance(3) ? .exists(true) : nil
        switch pick() % 12 {
        case 0, 1: return .set(path, ("n", number()), ("l", .array([number()])))
        case 2: return .set(path, ("n", number()))
        case 3, 4: return .patch(path, "n", number(), precondition: precondition)
        case 5: return .patch(path, "m", .map(FieldMap([("x", number())])), precondition: .exists(true))
        case 6: return .delete(path)
        case 7:
            // Never set or deleted, so that its sum shows how often each batch was applied.
            return .increment(Self.counters[pick() % 2], "t", by: Int64(1 + pick()))
        case 8: return .increment(path, by: 1 + Int64(pick() % 3))
        case 9: return .transform(path, "l", chance(3) ? .removeAllFromArray([number()]) : .appendMissingElements([number()]))
        case 10: return .transform(path, "time", .serverTimestamp)
        default: return chance(3) ? .patch(path, "bad", .boolean(true)) : .set(path, ("n", number()), precondition: .exists(false))
        }
    }

    // MARK: Queries

    static let names = [
        "c", "c where n >= 2", "c by n first 2", "c by n last 2", "c by -n first 2", "c/a", "c/b", "group s", "c where l has 1", "c/a/s", "counters",
        "c where n == 1 first 1", "c by time", "group s by -n first 1",
    ]

    static func name(_ target: ClientTarget) -> String { queries.firstIndex(of: target).map { "'\(names[$0])'" } ?? "\(target)" }

    static let queries: [ClientTarget] = [
        .query(ClientQuery(.collection("c"))),
        .query(ClientQuery(.collection("c").filter("n", .greaterThanOrEqual, .integer(2)))),
        .query(ClientQuery(.collection("c").ordered(by: "n").window(limit: 2))),
        .query(ClientQuery(.collection("c").ordered(by: "n").window(limit: 2), limitsToLast: true)),
        .query(ClientQuery(.collection("c").ordered(by: "n", .descending).window(limit: 2))),
        .document(DocumentKey(trusted: "c/a")),
        .document(DocumentKey(trusted: "c/b")),
        .query(ClientQuery(.group("s"))),
        .query(ClientQuery(.collection("c").filter("l", .arrayContains, .integer(1)))),
        .query(ClientQuery(.collection("c/a/s"))),
        .query(ClientQuery(.collection("counters"))),
        .query(ClientQuery(.collection("c").filter("n", .equal, .integer(1)).window(limit: 1))),
        .query(ClientQuery(.collection("c").ordered(by: "time"))),
        .query(ClientQuery(.group("s").ordered(by: "n", .descending).window(limit: 1))),
    ]
}
