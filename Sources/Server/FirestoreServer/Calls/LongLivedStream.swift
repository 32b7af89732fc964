// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// A stream that lasts, and ends with the identity of its caller.
protocol LongLivedStream: RPCStreamHandler {
    /// The caller's token has expired or was revoked.
    func identityEnded(_ error: FirestoreError)
}

/// The call of a long-lived stream. The stream is made when the caller is known; what the peer sends before waits.
final class LongLivedStreamHandler: RPCStreamHandler {
    private enum Event {
        case message(ByteSlice)
        case halfClosed
        case drain
    }

    private enum State {
        /// The caller is being identified, or waiting events are being handed over.
        case opening([Event], Task<Void, Never>?)
        case open(any LongLivedStream)
        /// With the reason if the call ended by itself.
        case over(RPCStatus?)
    }

    private let call: any RPCStreamCall
    private let streams: LiveStreams
    private let make: @Sendable (any RPCStreamCall, IdentifiedCall) -> any LongLivedStream
    private let state = Mutex(State.opening([], nil))
    private let number = Mutex<UInt64?>(nil)

    init(
        _ call: any RPCStreamCall, _ identification: CallIdentification, _ streams: LiveStreams,
        make: @escaping @Sendable (any RPCStreamCall, IdentifiedCall) -> any LongLivedStream
    ) {
        self.call = call
        self.streams = streams
        self.make = make
        do throws(FirestoreError) {
            if let known = try identification.identifyNow(call.info) { open(known) } else { openLater(identification) }
        } catch {
            refuse(error)
        }
    }

    // MARK: The caller

    private func openLater(_ identification: CallIdentification) {
        call.setReading(false)
        let task = Task {
            do throws(FirestoreError) {
                open(try await identification.identify(call.info))
                call.setReading(true)
            } catch {
                refuse(error)
            }
        }
        let isOver = state.withLock { state in
            if case .opening(let events, _) = state { state = .opening(events, task) }
            if case .over = state { return true }
            return false
        }
        if isOver { task.cancel() }
    }

    private func refuse(_ error: FirestoreError) {
        state.withLock { $0 = .over(nil) }
        call.finish(RPCStatus(error))
    }

    private func open(_ known: IdentifiedCall) {
        let stream = make(call, known)
        while let events = waiting(for: stream) {
            for event in events { pass(event, to: stream) }
        }
        if case .over(let status) = state.withLock({ $0 }) { return stream.ended(status) }
        let number = streams.add(known.identity) { [weak stream] error in stream?.identityEnded(error) }
        self.number.withLock { $0 = number }
        // It may have ended meanwhile.
        if case .over = state.withLock({ $0 }) { streams.remove(number) }
    }

    /// Returns the events that have waited; nil if there are no more, and from then on the stream receives events directly.
    private func waiting(for stream: any LongLivedStream) -> [Event]? {
        state.withLock { state in
            guard case .opening(let events, let task) = state else { return nil }
            guard !events.isEmpty else {
                state = .open(stream)
                return nil
            }
            state = .opening([], task)
            return events
        }
    }

    private func pass(_ event: Event, to stream: any LongLivedStream) {
        switch event {
        case .message(let message): stream.receive(message)
        case .halfClosed: stream.halfClosed()
        case .drain: stream.drain()
        }
    }

    // MARK: RPCStreamHandler

    private func take(_ event: Event) {
        let stream = state.withLock { state -> (any LongLivedStream)? in
            switch state {
            case .opening(let events, let task): state = .opening(events + [event], task)
            case .open(let stream): return stream
            case .over: break
            }
            return nil
        }
        if let stream { pass(event, to: stream) }
    }

    func receive(_ message: ByteSlice) { take(.message(message)) }
    func halfClosed() { take(.halfClosed) }
    func drain() { take(.drain) }

    func becameWritable() {
        if case .open(let stream) = state.withLock({ $0 }) { stream.becameWritable() }
    }

    func ended(_ status: RPCStatus?) {
        let before = state.withLock { state in
            defer { state = .over(status) }
            return state
        }
        if let number = number.withLock({ $0.take() }) { streams.remove(number) }
        switch before {
        case .opening(_, let task): task?.cancel()
        case .open(let stream): stream.ended(status)
        case .over: break
        }
    }
}
