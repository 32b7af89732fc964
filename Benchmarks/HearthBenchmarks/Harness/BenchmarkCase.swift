// SPDX-License-Identifier: Apache-2.0

/// One row (or two) of the benchmark table: a named question, our answer, and a peer's.
///
/// Everything is measured as time per operation. Where a reader thinks in rates, `unit` says so and
/// the harness inverts the number; the ratio is always "how many times better than the peer".
struct BenchmarkCase {
    /// The two sides of one case, ready to run.
    ///
    /// `ours(n)` and `peer(n)` perform `n` operations. Whatever they need (a database, a
    /// directory, encoded samples) is made by `BenchmarkCase.prepare`, outside the measured time.
    struct Contenders {
        typealias Run = (_ operations: Int) async throws -> Void

        let ours: Run
        let peer: Run?
        let tearDown: () async throws -> Void

        init(
            ours: @escaping Run,
            peer: Run? = nil,
            tearDown: @escaping () async throws -> Void = {}
        ) {
            self.ours = ours
            self.peer = peer
            self.tearDown = tearDown
        }
    }

    enum Unit {
        case nanoseconds
        case microseconds
        case milliseconds
        /// A rate, for example `.perSecond("docs")`.
        case perSecond(String)
    }

    enum Body {
        case contest(prepare: () async throws -> Contenders)
        /// Latencies in seconds, one per event; the table shows their p50 and p99.
        case latencies(measure: () async throws -> [Double])
        /// Rows made by the case itself.
        case figures(measure: () async throws -> [BenchmarkResult])
    }

    let name: String
    let unit: Unit
    let peerName: String?
    /// The ratio that is the goal; nil where there is only a number.
    let goal: Double?
    /// Operations per round. Nil lets the harness find a number that takes long enough to time,
    /// which suits the codec; databases that grow with every operation need a fixed one.
    let operationsPerRound: Int?
    let body: Body

    /// A case whose sides need preparing, for example a database each.
    init(
        _ name: String,
        unit: Unit = .nanoseconds,
        peer peerName: String? = nil,
        goal: Double? = nil,
        operationsPerRound: Int? = nil,
        prepare: @escaping () async throws -> Contenders
    ) {
        self.name = name
        self.unit = unit
        self.peerName = peerName
        self.goal = goal
        self.operationsPerRound = operationsPerRound
        self.body = .contest(prepare: prepare)
    }

    /// A case whose sides are plain synchronous functions, for example an encoder and another.
    init(
        _ name: String,
        unit: Unit = .nanoseconds,
        peer peerName: String,
        goal: Double?,
        ours: @escaping (_ operations: Int) throws -> Void,
        against peer: @escaping (_ operations: Int) throws -> Void
    ) {
        self.init(name, unit: unit, peer: peerName, goal: goal) {
            Contenders(ours: ours, peer: peer)
        }
    }

    /// A case whose results are not times, or that measures itself.
    init(figuresOf name: String, measure: @escaping () async throws -> [BenchmarkResult]) {
        self.name = name
        self.unit = .milliseconds
        self.peerName = nil
        self.goal = nil
        self.operationsPerRound = nil
        self.body = .figures(measure: measure)
    }

    /// A case that reports the middle and the tail of a latency instead of a mean.
    init(latencyOf name: String, measure: @escaping () async throws -> [Double]) {
        self.name = name
        self.unit = .microseconds
        self.peerName = nil
        self.goal = nil
        self.operationsPerRound = nil
        self.body = .latencies(measure: measure)
    }
}

extension BenchmarkCase.Unit {
    var label: String {
        switch self {
        case .nanoseconds: "ns/op"
        case .microseconds: "µs/op"
        case .milliseconds: "ms/op"
        case .perSecond(let thing): "\(thing)/s"
        }
    }

    func value(secondsPerOperation: Double) -> Double {
        switch self {
        case .nanoseconds: secondsPerOperation * 1e9
        case .microseconds: secondsPerOperation * 1e6
        case .milliseconds: secondsPerOperation * 1e3
        case .perSecond: 1 / secondsPerOperation
        }
    }
}

/// Prevents the optimiser from dropping an unused result.
@inline(never)
func blackHole<Result>(_ result: borrowing Result) where Result: ~Copyable {}
