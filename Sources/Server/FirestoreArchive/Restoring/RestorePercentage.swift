// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How far a restore is, in hundredths: half of it is the copy.
final class RestorePercentage: Sendable {
    private let start = Mutex<Int64?>(nil)
    private let end: Int64?

    /// - Parameter end: The moment that is restored; nil without commits behind the copy.
    init(until end: DocumentVersion?) { self.end = end?.microseconds }

    func value(of progress: ArchiveProgress) -> Int {
        switch progress {
        case .copy(let bytes, let all): return all > 0 ? Int(50 * min(1, Double(bytes) / Double(all))) : 50
        case .commits(let time):
            let first = start.withLock { start in
                start = start ?? time.microseconds
                return start ?? time.microseconds
            }
            guard let end, end > first else { return 95 }
            return 50 + Int(45 * max(0, min(1, Double(time.microseconds - first) / Double(end - first))))
        }
    }
}
