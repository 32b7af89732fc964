// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The results of commits that were not waited for, by their numbers.
final class Outcomes: Sendable {
    private struct State {
        var order: [Int] = []
        var errors: [Int: FirestoreError] = [:]
        var times: [Int: DocumentVersion] = [:]
    }

    private let state = Mutex(State())

    /// The completion of a commit.
    func note(_ number: Int) -> @Sendable (Result<CommitResponse, FirestoreError>) -> Void {
        { result in
            self.state.withLock { state in
                state.order.append(number)
                switch result {
                case .success(let response): state.times[number] = response.commitTime
                case .failure(let error): state.errors[number] = error
                }
            }
        }
    }

    var count: Int { state.withLock { $0.order.count } }
    /// In the order in which they were reported.
    var order: [Int] { state.withLock { $0.order } }
    var acknowledged: Set<Int> { state.withLock { Set($0.times.keys) } }
    var errors: [Int: FirestoreError] { state.withLock { $0.errors } }
    func time(_ number: Int) -> DocumentVersion? { state.withLock { $0.times[number] } }
}
