// SPDX-License-Identifier: Apache-2.0
import Dispatch
import Observation

/// Waits until what is read in a condition makes it hold, by Observation alone.
@MainActor package func until(_ condition: @escaping @MainActor () -> Bool) async {
    while true {
        let changed = Collector<Bool>()
        let holds = withObservationTracking(condition) { changed.append(true) }
        if holds { return }
        _ = await changed.first(1)
        // The observer is notified before the change; the next turn of the main queue sees it.
        await completion { next in DispatchQueue.main.async { next(()) } } as Void
    }
}
