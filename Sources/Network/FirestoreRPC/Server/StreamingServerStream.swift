// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

/// Any number of messages in both directions.
///
/// `@unchecked Sendable` as its superclass: the variables are accessed on the connection's loop only; `gate` locks its state.
final class StreamingServerStream: ServerCallStream, RPCStreamCall, @unchecked Sendable {
    let gate: SendGate
    /// Set right after the call was created, nil once it was notified of the end.
    var handler: (any RPCStreamHandler)?
    var isReading = true
    private var hasHalfClosed = false
    private var isAdvancing = false

    override init(id: StreamID, connection: ServerConnection, info: RPCCallInfo, inflates: Bool) {
        let onRoom = Mutex<(@Sendable () -> Void)?>(nil)
        gate = SendGate(limits: connection.limits, account: connection.account) { onRoom.withLock({ $0 })?() }
        super.init(id: id, connection: connection, info: info, inflates: inflates)
        onRoom.withLock { $0 = { [weak self] in self?.hasRoom() } }
    }

    func send(_ message: [UInt8]) {
        guard gate.take(message.count) else { return }
        connection.mailbox.post(.streaming(self, .message(message)), wake: connection.wakeUp)
    }

    private func hasRoom() { connection.mailbox.post(.streaming(self, .room), wake: connection.wakeUp) }

    var isWritable: Bool { gate.isWritable }

    func reserve(_ bytes: Int) async throws(RPCStatus) { try await gate.reserve(bytes) }

    func giveBackReserved() { gate.giveBackReserved() }

    func whenWritable() async throws(RPCStatus) { try await gate.whenWritable() }

    func finish(_ status: RPCStatus?) {
        connection.mailbox.post(.streaming(self, .finish(status)), wake: connection.wakeUp)
    }

    func setReading(_ isOn: Bool) {
        // From inside a handler's `receive`, it must apply to the very next message.
        if !isOn, connection.eventLoop.inEventLoop {
            isReading = false
        } else {
            connection.mailbox.post(.streaming(self, .reading(isOn)), wake: connection.wakeUp)
        }
    }

    override var isPaused: Bool { !isReading }

    override func advance() {
        guard !isAdvancing else { return }
        isAdvancing = true
        defer { isAdvancing = false }
        do throws(RPCStatus) {
            while isReading, !responseEnded, let message = try deframer.next() {
                receivedBytes += message.count
                handler?.receive(message)
            }
            guard !responseEnded else { return }
            deframer.keepRest()
            let rest = deframer.bufferedCount
            connection.account(self, held: isReading ? 0 : rest, collecting: isReading ? rest : 0)
            guard requestEnded, isReading, !responseEnded, !hasHalfClosed else { return }
            guard deframer.isEmpty else { throw RPCStatus(.internal, "the request ended in the middle of a message") }
            hasHalfClosed = true
            handler?.halfClosed()
        } catch {
            connection.fail(self, error)
        }
    }

    /// Does what the handler wants; messages are sent by the connection, which joins them.
    func take(_ step: StreamingStep) {
        guard !responseEnded else { return }
        switch step {
        case .message: break
        case .room: handler?.becameWritable()
        case .finish(let status):
            if status == nil { startResponse() }
            connection.finish(self, status)
            tellEnd(nil)
        case .reading(let isOn):
            isReading = isOn
            guard isOn else { return }
            advance()
            connection.giveBackWindows(of: self)
        }
    }

    override func abandon(_ reason: RPCStatus) { tellEnd(reason) }

    /// The last call to the handler.
    func tellEnd(_ status: RPCStatus?) {
        gate.end(status ?? RPCStatus(.cancelled, "the call has ended"))
        guard let handler else { return }
        self.handler = nil
        handler.ended(status)
    }

    override func confirmed(_ bytes: Int) {
        if gate.confirm(bytes) { handler?.becameWritable() }
    }
}
