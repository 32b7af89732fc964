// SPDX-License-Identifier: Apache-2.0

/// What events are delivered to.
package protocol EventReceiver: Sendable {
    /// Delivers an event. Returns when it is known whether the receiver has acknowledged it.
    func deliver(_ delivery: Delivery) async -> DeliveryOutcome
}
