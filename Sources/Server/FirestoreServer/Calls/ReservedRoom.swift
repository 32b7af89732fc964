// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// What a call has reserved for its answer. A read that waits for its turn behind other transactions gives it back meanwhile: their calls
/// may come over the same connection.
private struct ReservedRoom: CallRoom {
    let call: any AnswerReservation
    let bytes: Int

    func giveBack() { call.giveBackReserved() }

    func takeAgain() async { try? await call.reserve(bytes) }
}

extension AnswerReservation {
    /// Runs `body` once there is room for so many bytes of its answer.
    func whileHolding<R: Sendable>(
        _ bytes: Int, _ body: () async throws(FirestoreError) -> R
    ) async throws(FirestoreError) -> R {
        do throws(RPCStatus) { try await reserve(bytes) } catch { throw FirestoreError(error) }
        // Its caller may have gone while it waited.
        if Task.isCancelled { throw FirestoreError(.cancelled, "the call was cancelled before it was begun") }
        let result: Result<R, FirestoreError> = await CurrentCallRoom.$value.withValue(ReservedRoom(call: self, bytes: bytes)) {
            do throws(FirestoreError) {
                return .success(try await body())
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
