// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The command line of `HearthBenchmarks`.
struct BenchmarkOptions: Sendable {
    enum Side: String, Sendable {
        case ours
        case peer
    }

    enum Action: Sendable {
        case measure
        case list
        /// Run one side a fixed number of times, untimed, for an instruction counter.
        case runOnce(side: Side, operations: Int)
        /// Open a database in this fresh process and say what it costs.
        case probe(path: String)
        /// Read a cache in this fresh process and say how much memory that needs.
        case probeCache(path: String)
        /// Decode as often as each line of the standard input says.
        case worker
        /// Write a number that a script measured into the result file.
        case record(name: String, value: Double, unit: String)
    }

    var action = Action.measure
    /// Only cases whose name contains one of these words (upper and lower case alike).
    var filters: [String] = []
    /// Exactly one case, by its whole name.
    var only: String?
    /// Whether the cases are the paths of the gate.
    var isGate = false
    var rounds = 7
    var secondsPerRound = 0.15
    var resultFile: String?

    static let help = """
        HearthBenchmarks [--gate] [--filter WORD]… [--rounds N] [--seconds S] [--json FILE]
                         [--gate] [--list]
                         [--gate] [--run-once ours|peer --operations N --only NAME]
                         [--record NAME VALUE UNIT --json FILE]
        """

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        var side: Side?
        var operations = 1
        func next(_ option: String) throws -> String {
            guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
            return value
        }
        func number(_ option: String) throws -> Double {
            guard let value = Double(try next(option)) else { throw UsageError("\(option) needs a number") }
            return value
        }
        while let option = rest.popFirst() {
            switch option {
            case "--filter": filters.append(try next(option))
            case "--only": only = try next(option)
            case "--gate": isGate = true
            case "--rounds": rounds = max(5, Int(try number(option)))
            case "--seconds": secondsPerRound = try number(option)
            case "--json": resultFile = try next(option)
            case "--list": action = .list
            case "--probe": action = .probe(path: try next(option))
            case "--probe-cache": action = .probeCache(path: try next(option))
            case "--worker": action = .worker
            case "--run-once":
                side = Side(rawValue: try next(option))
                if side == nil { throw UsageError("--run-once takes ours or peer") }
            case "--operations": operations = Int(try number(option))
            case "--record":
                action = .record(name: try next(option), value: try number(option), unit: try next(option))
            default: throw UsageError("unknown option \(option)")
            }
        }
        if let side { action = .runOnce(side: side, operations: operations) }
    }

    func wants(_ benchmark: BenchmarkCase) -> Bool {
        if let only { return benchmark.name == only }
        return filters.isEmpty || filters.contains { benchmark.name.localizedCaseInsensitiveContains($0) }
    }
}

struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ problem: String) {
        description = "\(problem)\n\(BenchmarkOptions.help)"
    }
}
