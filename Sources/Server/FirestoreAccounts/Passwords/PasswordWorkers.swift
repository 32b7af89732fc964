// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore

/// Hashes passwords on separate threads, a few at a time, so that sign-ins neither hold up other requests nor use the memory of the
/// machine. When too many wait, further ones are rejected immediately.
final class PasswordWorkers: Sendable {
    private let queues: [DispatchQueue]
    /// How many hashes each queue has to do.
    private let loads: Mutex<[Int]>
    private let maximumLoad: Int

    init(width: Int, waiting: Int) {
        queues = (0..<max(1, width)).map { DispatchQueue(label: "hearth.passwords.\($0)", qos: .utility) }
        loads = Mutex(Array(repeating: 0, count: max(1, width)))
        maximumLoad = max(1, width) + waiting
    }

    func run<R: Sendable>(_ work: @escaping @Sendable () -> R) async throws(AccountError) -> R {
        let place = loads.withLock { loads -> Int? in
            guard loads.reduce(0, +) < maximumLoad, let place = loads.indices.min(by: { loads[$0] < loads[$1] }) else { return nil }
            loads[place] += 1
            return place
        }
        guard let place else { throw .tooManyAttempts }
        return await withCheckedContinuation { continuation in
            queues[place].async {
                let result = work()
                self.loads.withLock { $0[place] -= 1 }
                continuation.resume(returning: result)
            }
        }
    }
}
