// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// Random users, a random network and random crashes over one authority: when the network is back and everything has drained, every
/// client shows what the authority has, every call was answered, and each batch was applied once (SY-D32).
@Suite struct SyncModelTests {
    @Test(arguments: 0..<8) func `every client comes to equal the authority`(part: Int) throws {
        // `HEARTH_SEED` runs and follows one history, `HEARTH_HISTORIES` the first so many.
        let environment = ProcessInfo.processInfo.environment
        let count = environment["HEARTH_HISTORIES"].flatMap(Int.init) ?? TestScale.pick(quick: 80, full: 10_000)
        if let seed = environment["HEARTH_SEED"].flatMap(UInt64.init) {
            if part == 0 { try check(seed: seed, isTraced: true) }
            return
        }
        for seed in part * count / 8..<(part + 1) * count / 8 { try check(seed: UInt64(seed)) }
    }

    private func check(seed: UInt64, isTraced: Bool = false) throws {
        // Some histories are long.
        let history = ModelHistory(seed: seed, length: seed % 20 == 19 ? 250 : 40 + Int(seed % 7) * 10)
        guard let failure = try ModelWorld.run(history) else { return }
        let small = try history.shrunk(failure)
        if isTraced { _ = try ModelWorld.run(small.history) { print($0) } }
        Issue.record("seed \(seed): \(failure)\nat least: \(small.failure)\n\(small.history)")
    }
}
