// SPDX-License-Identifier: Apache-2.0

/// Runs jobs off a connection's loop. What one connection has received keeps its order, because it hands over one job at a time.
typealias OffLoop = @Sendable (@escaping @Sendable () -> Void) -> Void

/// On the threads that all connections share.
let offLoop: OffLoop = { job in WorkThreads.shared.run(job) }
