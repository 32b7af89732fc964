// SPDX-License-Identifier: Apache-2.0
import FaultInjection
import TestSupport
import Testing

/// Every kind of fault at every call of the disk below a cache (SY-159, SY-D11).
@Suite struct SyncFaultTests {
    /// How many calls to go on from one run to the next.
    private static let step = TestScale.pick(quick: 61, full: 1)

    // T130
    @Test func `without faults the scenario passes`() throws {
        let run = try play(nil)
        print("calls \(run.calls.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", "))")
        #expect(!run.hasStruck)
    }

    @Test(arguments: Fault.Kind.allCases)
    func `whatever fails at whichever call, every saved write arrives once and the cache is sound`(kind: Fault.Kind) throws {
        var (call, runs) = (1, 0)
        while try play(Fault(kind, at: call)).hasStruck {
            call += Self.step
            runs += 1
        }
        print("\(kind.rawValue): \(runs) runs")
        #expect(runs > 0)
    }

    private func play(_ fault: Fault?) throws -> SyncFaultRun {
        let run = try SyncFaultRun(fault)
        try run.play()
        for problem in run.problems { Issue.record("\(fault?.description ?? "no fault"): \(problem)") }
        return run
    }
}
