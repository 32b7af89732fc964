// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One request message and one answer.
///
/// `@unchecked Sendable`: *shared* variables are accessed under the lock of the connection's mailbox, the others on its loop only, except
/// for `request`, which the loop writes before it delivers the call to another thread, and never afterwards.
final class UnaryServerStream: ServerCallStream, RPCUnaryCall, @unchecked Sendable {
    private(set) var request = ByteSlice.empty
    private let run: @Sendable ([any RPCUnaryCall]) -> Void
    private var hasRequest = false
    private var isDispatched = false
    /// *Shared*: answered, or ended without an answer.
    private var isSettled = false
    /// *Shared.*
    private var cancelHook: (@Sendable () -> Void)?

    init(
        id: StreamID, connection: ServerConnection, info: RPCCallInfo, inflates: Bool,
        run: @escaping @Sendable ([any RPCUnaryCall]) -> Void
    ) {
        self.run = run
        super.init(id: id, connection: connection, info: info, inflates: inflates)
    }

    func respond(_ result: Result<[UInt8], RPCStatus>) {
        connection.mailbox.post(
            .answer(self, result),
            if: {
                guard !isSettled else { return false }
                isSettled = true
                cancelHook = nil
                return true
            },
            wake: connection.wakeUp)
    }

    func onCancel(_ body: @escaping @Sendable () -> Void) {
        let isOver = connection.mailbox.state.withLock { _ in
            if !isSettled { cancelHook = body }
            return isSettled && isAbandoned
        }
        if isOver { body() }
    }

    /// *Shared*: ended before it was answered.
    private var isAbandoned = false

    override func advance() {
        do throws(RPCStatus) {
            while let message = try deframer.next() {
                guard !hasRequest else {
                    throw RPCStatus(.unimplemented, "\(info.path) takes one message, but received a second one")
                }
                hasRequest = true
                request = message
                receivedBytes = message.count
            }
            deframer.keepRest()
            connection.account(self, held: request.count, collecting: deframer.bufferedCount)
            guard requestEnded, !isDispatched else { return }
            guard deframer.isEmpty else { throw RPCStatus(.internal, "the request ended in the middle of a message") }
            guard hasRequest else {
                throw RPCStatus(.unimplemented, "\(info.path) takes one message, but the request ended without one")
            }
            isDispatched = true
            connection.dispatch(self, run)
        } catch {
            connection.fail(self, error)
        }
    }

    override func abandon(_ reason: RPCStatus) {
        let hook: (@Sendable () -> Void)? = connection.mailbox.state.withLock { _ in
            guard !isSettled else { return nil }
            isSettled = true
            isAbandoned = true
            defer { cancelHook = nil }
            return cancelHook
        }
        hook?()
    }
}
