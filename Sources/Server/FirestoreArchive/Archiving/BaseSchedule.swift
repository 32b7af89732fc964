// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// When the next copy is due: the first one soon, then after a day or after much was written, and after a failure a little later.
struct BaseSchedule: Sendable {
    private static let leastBytes = 64 << 20
    static let pauseAfterFailure = Duration.seconds(60)

    private(set) var last: DocumentVersion?
    private var hasBegun = false
    private var written = 0
    private var databaseBytes = 0
    private var lastTry: Int64?
    /// Copies of many databases are not made in the same minute.
    private var spread = 0.0

    mutating func begin(last: DocumentVersion?, spread: Double) {
        self.last = last
        self.spread = spread
        hasBegun = true
        lastTry = nil
    }

    /// Makes a copy due: the last one is lost.
    mutating func demand() { (last, lastTry) = (nil, nil) }

    /// Notes bytes of journal.
    mutating func wrote(_ bytes: Int) { written += bytes }

    mutating func tried(now: Int64) { lastTry = now }

    mutating func made(_ manifest: BaseManifest, now: Int64) {
        last = manifest.lastCommit
        databaseBytes = manifest.storedBytes
        written = 0
        lastTry = nil
    }

    func isDue(now: Int64, _ policy: ArchivePolicy) -> Bool {
        guard hasBegun else { return false }
        if let lastTry, now - lastTry < Self.pauseAfterFailure.microseconds { return false }
        guard let last else { return true }
        guard written > 0 else { return false }
        if written >= policy.baseBytes ?? max(Self.leastBytes, databaseBytes) { return true }
        let day = policy.baseInterval.microseconds
        return now - last.microseconds >= day - Int64(Double(day) * 0.1 * spread)
    }
}
