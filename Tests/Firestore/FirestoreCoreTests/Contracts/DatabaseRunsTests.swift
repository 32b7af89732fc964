// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

/// Which tokens name a commit that a file has.
struct DatabaseRunsTests {
    private func time(_ microseconds: Int64) -> DocumentVersion { DocumentVersion(microseconds: microseconds) }

    /// Opened after no commit, after the one at 100 and after the one at 200.
    private var runs: DatabaseRuns {
        DatabaseRuns().appending(1, after: time(0)).appending(2, after: time(100)).appending(3, after: time(200))
    }

    @Test(arguments: [
        // The run, the time, whether the file has the commit.
        (1 as UInt32?, 100 as Int64, true), (1, 1, true), (1, 101, false), (2, 200, true), (2, 150, true), (2, 201, false),
        (3, 201, true), (3, 1_000, true), (4, 1, false), (4, 150, false), (nil, 0, true), (nil, 1, false),
    ])
    func `a token holds if the file knows its run, and the run had come so far when the next one began`(
        run: UInt32?, time: Int64, holds: Bool
    ) {
        #expect(runs.includes(run, at: self.time(time)) == holds)
        let history = DatabaseHistory(number: 7 << 32, runs: runs)
        #expect(history.includes(7, run: run, at: self.time(time)) == holds)
        #expect(!history.includes(8, run: run, at: self.time(time)))
    }

    @Test func `a token of the same time in two runs of two copies holds in its own copy only`() {
        let common = DatabaseRuns().appending(1, after: time(0))
        let (one, other) = (common.appending(2, after: time(100)), common.appending(3, after: time(100)))
        for (file, mine, others) in [(one, 2 as UInt32, 3 as UInt32), (other, 3, 2)] {
            #expect(file.includes(mine, at: time(150)) && !file.includes(others, at: time(150)))
            #expect(file.includes(1, at: time(100)) && !file.includes(1, at: time(150)))
        }
    }

    @Test func `tokens without a run hold up to the first run, where all runs are known`() {
        let upgraded = DatabaseRuns().appending(1, after: time(50))
        #expect(upgraded.includes(nil, at: time(50)) && !upgraded.includes(nil, at: time(51)))
        #expect(DatabaseRuns().includes(nil, at: time(1_000)))
        #expect(!DatabaseRuns(isComplete: false).includes(nil, at: time(1)))
    }

    @Test func `the oldest of very many runs are forgotten, and their tokens do not hold`() {
        var runs = DatabaseRuns()
        for number in 1...DatabaseRuns.maximum + 1 { runs = runs.appending(UInt32(number), after: time(Int64(number) * 10)) }
        #expect(runs.all.count == DatabaseRuns.maximum && !runs.isComplete)
        #expect(!runs.includes(1, at: time(10)) && !runs.includes(nil, at: time(1)) && runs.includes(2, at: time(30)))
        #expect(runs.opened == time(Int64(DatabaseRuns.maximum + 1) * 10))
    }
}
