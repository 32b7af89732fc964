// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Runs jobs off a connection's loop. Serial, so that what one connection has received keeps its order.
typealias OffLoop = @Sendable (@escaping @Sendable () -> Void) -> Void

/// A separate queue for each connection; they share the threads below.
func offLoop(_ label: String) -> OffLoop {
    let queue = DispatchQueue(label: label, target: .global())
    return { job in queue.async(execute: job) }
}
