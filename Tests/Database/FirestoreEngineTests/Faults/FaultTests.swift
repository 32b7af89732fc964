// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import FirestoreCore
import FirestoreSQLite
import Foundation
import TestSupport
import Testing

@testable import FirestoreEngine

/// Every kind of fault at every call of the disk.
@Suite struct FaultTests {
    private static let scenarios: [(name: String, FaultScenario)] = [
        ("writing", .writing), ("big documents", .bigDocuments), ("reopening", .reopening), ("indexing", .indexing),
    ]

    /// How many calls to continue from one run to the next.
    private static let step = TestScale.pick(quick: 23, full: 1)

    @Test(arguments: scenarios.map(\.name))
    func `without faults every scenario passes`(name: String) async throws {
        let run = try await play(name, nil)
        print("\(name): calls \(run.calls.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", "))")
        #expect(!run.hasStruck)
        // What the scenarios are there for.
        for call in DiskCall.allCases where call != .checkReservedLock { #expect(run.calls[call] ?? 0 > 0, "\(call)") }
    }

    @Test(arguments: Fault.Kind.allCases, scenarios.map(\.name))
    func `whatever fails at whichever call, nothing acknowledged is lost and the database works on`(
        kind: Fault.Kind, name: String
    ) async throws {
        let runs = try await atEveryCall { try await play(name, Fault(kind, at: $0)) }
        print("\(name), \(kind.rawValue): \(runs) runs")
        #expect(runs > 0)
    }

    @Test(arguments: [Fault.Kind.powerLoss, .scatteredPowerLoss])
    func `with relaxed durability a loss of power leads back to an earlier state, whole and sound`(kind: Fault.Kind) async throws {
        var (runs, losses, first) = (0, 0, 1)
        // A coarse walk may step over the few calls at which something is lost: then the calls in between are next.
        while first <= Self.step, losses == 0 {
            runs += try await atEveryCall(from: first) { call in
                let run = try await play("writing", Fault(kind, at: call), durability: .relaxed)
                losses += run.hasLostAcknowledged ? 1 : 0
                return run
            }
            first += 1
        }
        print("relaxed, \(kind.rawValue): \(runs) runs, \(losses) with losses")
        // Otherwise the disk would not forget what it should, and the test above would be worth nothing.
        #expect(losses > 0)
    }

    private static let shortLog: LogLimits = {
        var log = LogLimits()
        (log.copy, log.restart, log.urgent, log.step, log.few) = (4, 8, 24, 2, 1)
        return log
    }()

    @Test func `a short log is copied while the scenario runs`() async throws {
        let (short, long) = (try await play("writing", nil, log: Self.shortLog).calls, try await play("writing", nil).calls)
        // Otherwise the next test would say nothing about copies.
        #expect(short[.sync] ?? 0 > (long[.sync] ?? 0) + 2)
    }

    @Test(arguments: Fault.Kind.allCases)
    func `a log that is copied beside the writer loses nothing, whatever fails at whichever call`(kind: Fault.Kind) async throws {
        let log = Self.shortLog
        let runs = try await atEveryCall { try await play("writing", Fault(kind, at: $0), log: log) }
        print("a short log, \(kind.rawValue): \(runs) runs")
        #expect(runs > 0)
    }

    /// Runs with the fault at one call after the other, until the scenario is over before the fault comes.
    private func atEveryCall(from first: Int = 1, _ run: (Int) async throws -> FaultRun) async throws -> Int {
        var call = first
        var runs = 0
        while try await run(call).hasStruck {
            call += Self.step
            runs += 1
        }
        return runs
    }

    private func play(
        _ name: String, _ fault: Fault?, durability: Durability = .full, log: LogLimits = LogLimits()
    ) async throws -> FaultRun {
        let scenario = try #require(Self.scenarios.first { $0.name == name }).1
        let run = FaultRun(scenario, fault, durability: durability, log: log, in: try ScratchFolder())
        await run.play()
        for problem in run.problems { Issue.record("\(name), \(fault?.description ?? "no fault"): \(problem)") }
        return run
    }
}
