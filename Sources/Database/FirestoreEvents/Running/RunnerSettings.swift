// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// What a runner takes from its surroundings: time, chance, and how often it looks.
package struct RunnerSettings: Sendable {
    package var clock: any WallClock
    /// The delays of repeated attempts, and how to wait.
    package var backoff: Backoff
    /// The position is stored no more often.
    package var savePause = Duration.seconds(1)
    /// How often requests to deliver dead events again are looked for.
    package var requestPause = Duration.seconds(2)
    /// How long a lease lasts; it is renewed after a third of that.
    package var lease = Duration.seconds(30)

    package init(clock: any WallClock = SystemClock(), backoff: Backoff = DeliveryMachine.backoff) {
        self.clock = clock
        self.backoff = backoff
    }
}
