// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Foundation

/// Runs what the command line asks for. Not main-actor code: hopping there would be part of every result.
nonisolated func runBenchmarks(_ options: BenchmarkOptions) async throws -> Bool {
    let cases = (options.isGate ? GateCases.all : timedCases).filter(options.wants)
    let runner = BenchmarkRunner(options: options)
    switch options.action {
    case .list:
        cases.forEach { print($0.name) }
    case .record(let name, let value, let unit):
        guard let path = options.resultFile else { throw UsageError("--record needs --json FILE") }
        try ResultFile(path: path).merge([
            ResultFile.Entry(name: name, value: value, unit: unit, peer: nil, ratio: nil)
        ])
        print("\(name): \(ResultTable.figure(value)) \(unit)")
    case .worker: try DecodingWorker.serve()
    case .probe(let path):
        try await OpenProbe.run(path)
    case .probeCache(let path):
        try await CacheProbe.run(path)
    case .runOnce(let side, let operations):
        for benchmark in cases { try await runner.runOnce(benchmark, side: side, operations: operations) }
    case .measure:
        return try await measure(cases, with: runner, resultFile: options.resultFile)
    }
    return true
}

nonisolated var timedCases: [BenchmarkCase] {
    CodecCases.all + DatabaseCases.all + QueryCases.all + IndexCases.all + ListenerCases.all
        + PipelineCases.all + VectorCases.all + AggregateCases.all + OfflineWriteCases.all + OfflineReadCases.all + SyncCases.all
        + DrainCases.all
        + CacheSizeCases.all + RegexCases.all + RulesCases.all + RuledServiceCases.all
        + TypesCases.all + TypedQueryCases.all + AuditCases.all + DiffCases.all + MigrationCases.all + onPostgres
}

/// With the trait `Postgres`.
nonisolated var onPostgres: [BenchmarkCase] {
    #if Postgres
        ClusterCases.all
    #else
        []
    #endif
}

/// False when a case failed; the others are measured all the same.
nonisolated func measure(
    _ cases: [BenchmarkCase], with runner: BenchmarkRunner, resultFile: String?
) async throws -> Bool {
    let table = ResultTable(cases)
    var results: [BenchmarkResult] = []
    var failures = 0
    table.printHeader()
    for benchmark in cases {
        do {
            let measured = try await runner.run(benchmark)
            measured.forEach(table.print)
            results += measured
        } catch {
            failures += 1
            print("\(benchmark.name): failed: \(error)")
        }
    }
    let goals = results.compactMap(\.meetsGoal)
    print("\n\(goals.count(where: { $0 })) of \(goals.count) goals met")
    try await CachedQueries.close()
    try await MillionDocuments.close()
    if let resultFile {
        try ResultFile(path: resultFile).merge(results)
        print("figures written to \(resultFile)")
    }
    return failures == 0
}

nonisolated func fail(_ error: any Error) -> Never {
    FileHandle.standardError.write(Data("\(error)\n".utf8))
    exit(2)
}

do {
    let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
    Task.detached {
        do {
            exit(try await runBenchmarks(options) ? 0 : 1)
        } catch {
            fail(error)
        }
    }
    if case .runOnce = options.action {
        // `dispatchMain` ends the main thread, which valgrind does not survive.
        DispatchSemaphore(value: 0).wait()
    } else {
        dispatchMain()
    }
} catch {
    fail(error)
}
