// SPDX-License-Identifier: Apache-2.0

/// Runs cases: warm-up, then rounds in which both sides take turns, then medians.
///
/// Interleaving matters more than long runs: on a shared machine the clock speed drifts within
/// seconds, and two sides measured one after the other differ by that drift alone.
struct BenchmarkRunner {
    let options: BenchmarkOptions

    func run(_ benchmark: BenchmarkCase) async throws -> [BenchmarkResult] {
        switch benchmark.body {
        case .contest(let prepare):
            let contenders = try await prepare()
            do {
                let result = try await compete(benchmark, contenders)
                try await contenders.tearDown()
                return [result]
            } catch {
                try? await contenders.tearDown()
                throw error
            }
        case .latencies(let measure):
            return percentiles(of: benchmark, in: try await measure())
        case .figures(let measure):
            return try await measure()
        }
    }

    /// One side, a fixed number of operations, nothing timed: the form callgrind wants.
    func runOnce(_ benchmark: BenchmarkCase, side: BenchmarkOptions.Side, operations: Int) async throws {
        guard case .contest(let prepare) = benchmark.body else { return }
        let contenders = try await prepare()
        switch side {
        case .ours: try await contenders.ours(operations)
        case .peer: try await contenders.peer?(operations)
        }
        try await contenders.tearDown()
    }

    private func compete(
        _ benchmark: BenchmarkCase, _ contenders: BenchmarkCase.Contenders
    ) async throws -> BenchmarkResult {
        let ours = try await Side(contenders.ours, of: benchmark, options)
        let peer =
            if let run = contenders.peer { try await Side(run, of: benchmark, options) } else { Side?.none }

        var ourTimes: [Double] = []
        var peerTimes: [Double] = []
        for round in 0..<options.rounds {
            // The second side finds warmer caches and a fuller log: take turns at that too.
            if round.isMultiple(of: 2) {
                ourTimes.append(try await ours.secondsPerOperation())
                if let peer { peerTimes.append(try await peer.secondsPerOperation()) }
            } else {
                if let peer { peerTimes.append(try await peer.secondsPerOperation()) }
                ourTimes.append(try await ours.secondsPerOperation())
            }
        }

        let ourMedian = median(ourTimes)
        let peerMedian = peerTimes.isEmpty ? nil : median(peerTimes)
        return BenchmarkResult(
            name: benchmark.name,
            value: benchmark.unit.value(secondsPerOperation: ourMedian),
            unit: benchmark.unit.label,
            peerName: peerMedian == nil ? nil : benchmark.peerName,
            peerValue: peerMedian.map(benchmark.unit.value(secondsPerOperation:)),
            ratio: peerMedian.map { $0 / ourMedian },
            goal: benchmark.goal)
    }

    private func percentiles(of benchmark: BenchmarkCase, in samples: [Double]) -> [BenchmarkResult] {
        guard !samples.isEmpty else { return [] }
        let sorted = samples.sorted()
        return [("p50", 0.50), ("p99", 0.99)].map { label, share in
            let index = min(sorted.count - 1, Int(Double(sorted.count) * share))
            return BenchmarkResult(
                name: "\(benchmark.name), \(label)", value: sorted[index] * 1e6, unit: "µs",
                peerName: nil, peerValue: nil, ratio: nil, goal: nil)
        }
    }

    private func median(_ times: [Double]) -> Double {
        let sorted = times.sorted()
        let middle = sorted.count / 2
        return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    }

    /// One contender, warmed up, with the number of operations that makes a round long enough.
    private struct Side {
        let run: BenchmarkCase.Contenders.Run
        let operations: Int

        init(
            _ run: @escaping BenchmarkCase.Contenders.Run, of benchmark: BenchmarkCase,
            _ options: BenchmarkOptions
        ) async throws {
            self.run = run
            if let fixed = benchmark.operationsPerRound {
                operations = fixed
                _ = try await Self.seconds(run, fixed)
                return
            }
            var count = 1
            while try await Self.seconds(run, count) < options.secondsPerRound, count < 1 << 30 {
                count *= 2
            }
            operations = count
        }

        func secondsPerOperation() async throws -> Double {
            try await Self.seconds(run, operations) / Double(operations)
        }

        private static func seconds(
            _ run: BenchmarkCase.Contenders.Run, _ operations: Int
        ) async throws -> Double {
            let duration = try await ContinuousClock().measure { try await run(operations) }
            return Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
        }
    }
}
