// SPDX-License-Identifier: Apache-2.0

/// A call whose connection holds memory for an answer before it is made. May be used from any thread.
///
/// What wraps a call passes both on: without them the memory of its answers would be bounded by nothing.
package protocol AnswerReservation: Sendable {
    /// Waits until the connection may hold so many bytes more, and holds them for what is sent next.
    func reserve(_ bytes: Int) async throws(RPCStatus)

    /// Gives back what was reserved and not used, while the call waits for another one.
    func giveBackReserved()
}

/// A call whose answers are held by its caller alone: one in this process.
package protocol WithoutReservation: AnswerReservation {}

extension WithoutReservation {
    package func reserve(_ bytes: Int) async throws(RPCStatus) {}
    package func giveBackReserved() {}
}
