// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire

/// The call of a Listen stream: converts bytes to messages and back.
final class ListenHandler: LongLivedStream, ListenOutlet {
    private let call: any RPCStreamCall
    private let stream: Mutex<ListenStream?>
    private let onEnd: @Sendable (ListenHandler) -> Void
    private let figures: DocumentFigures?

    init(
        _ call: any RPCStreamCall, context: RequestContext, limits: ListenLimits, calm: CalmRunner, figures: DocumentFigures? = nil,
        open: @escaping ListenStream.Opening, onEnd: @escaping @Sendable (ListenHandler) -> Void
    ) {
        self.call = call
        self.onEnd = onEnd
        self.figures = figures
        stream = Mutex(nil)
        let stream = ListenStream(to: self, context: context, limits: limits, calm: calm, open: open)
        self.stream.withLock { $0 = stream }
    }

    private var live: ListenStream? { stream.withLock { $0 } }

    func tick() { live?.tick() }

    // MARK: RPCStreamHandler

    func receive(_ message: ByteSlice) {
        do throws(FirestoreError) {
            try RequestSize.check(message)
            live?.receive(try ListenRequest(decoding: message))
        } catch {
            call.finish(RPCStatus(error))
        }
    }

    func halfClosed() { live?.halfClosed() }
    func becameWritable() { live?.becameWritable() }
    func drain() { live?.drain() }

    func ended(_ status: RPCStatus?) {
        let last = stream.withLock { stream in
            defer { stream = nil }
            return stream
        }
        last?.end()
        onEnd(self)
    }

    /// The client listens again with a new token, and with the resume token of the last snapshot it received.
    func identityEnded(_ error: FirestoreError) { call.finish(RPCStatus(error)) }

    // MARK: ListenOutlet

    var isWritable: Bool { call.isWritable }
    func send(_ responses: [ListenResponse]) {
        figures?.read(responses.count { if case .documentChange = $0 { true } else { false } })
        call.send(contentsOf: responses.map { $0.encoded() })
    }

    func finish(_ status: RPCStatus?) { call.finish(status) }
    func setReading(_ isOn: Bool) { call.setReading(isOn) }
}
