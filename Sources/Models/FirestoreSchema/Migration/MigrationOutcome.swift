// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// The result of a migration, or the result that it would have.
package struct MigrationOutcome: Sendable {
    /// A document that could not be migrated.
    package struct Failure: Sendable {
        package var key: DocumentKey
        package var error: any Error

        package init(key: DocumentKey, error: any Error) {
            self.key = key
            self.error = error
        }
    }

    /// A document before and after.
    package struct Sample: Sendable {
        package var key: DocumentKey
        package var before: FieldBytes
        package var after: FieldBytes
    }

    /// Failures are listed up to this number, and counted beyond it.
    package static let failuresKept = 1_000
    package static let samplesKept = 5

    /// Documents that the first pass has read.
    package var read = 0
    package var migrated = 0
    /// Documents in which nothing was to be done. Later passes may migrate documents that the first one has not read.
    package var skipped: Int { max(0, read - migrated - failureCount) }
    /// How many documents each step changed.
    package var steps: [Int]
    /// How often a document had changed before it was written, and was read again.
    package var conflicts = 0
    package var passes = 0
    package var failures: [Failure] = []
    package var failureCount = 0
    /// Documents that the check of a rehearsal does not like.
    package var rejected: [Failure] = []
    package var rejectedCount = 0
    package var samples: [Sample] = []

    package init(steps: Int) { self.steps = Array(repeating: 0, count: steps) }

    mutating func fail(_ key: DocumentKey, _ error: any Error) {
        failureCount += 1
        if failures.count < Self.failuresKept { failures.append(Failure(key: key, error: error)) }
    }

    mutating func reject(_ key: DocumentKey, _ error: any Error) {
        rejectedCount += 1
        if rejected.count < Self.failuresKept { rejected.append(Failure(key: key, error: error)) }
    }

    mutating func count(_ result: MigrationPlan.Result) {
        migrated += 1
        for step in result.steps { steps[step] += 1 }
    }

    mutating func add(_ page: MigrationOutcome) {
        read += page.read
        migrated += page.migrated
        for (index, count) in page.steps.enumerated() { steps[index] += count }
        conflicts += page.conflicts
        failureCount += page.failureCount
        failures += page.failures.prefix(Self.failuresKept - failures.count)
        rejectedCount += page.rejectedCount
        rejected += page.rejected.prefix(Self.failuresKept - rejected.count)
        samples += page.samples.prefix(Self.samplesKept - samples.count)
    }
}
