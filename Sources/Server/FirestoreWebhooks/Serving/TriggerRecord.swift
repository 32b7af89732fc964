// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEvents

/// Remembers what has become of the events of a trigger, as far as an operator asks for it.
final class TriggerRecord: Sendable {
    private let state = Mutex<(failure: DeliveryFailure?, delivered: Int)>((nil, 0))

    /// Why the last attempt has failed; nil after one that has not.
    var failure: DeliveryFailure? { state.withLock { $0.failure } }
    var delivered: Int { state.withLock { $0.delivered } }

    func note(_ report: EventReport) {
        switch report {
        case .delivered:
            state.withLock { state in
                state.failure = nil
                state.delivered += 1
            }
        case .failed(_, _, let failure), .buried(_, _, let failure), .switchedOff(let failure): state.withLock { $0.failure = failure }
        case .shelfShortened, .suspectedLoop, .lost, .trouble: break
        }
    }
}
