// SPDX-License-Identifier: Apache-2.0
#if Remote
    import FirestoreCore
    import FirestoreRPC
    import FirestoreWire

    /// A call through a test network: between a client, whose handler it calls, and a call of the real channel.
    final class ConditionedCall: RPCClientCall, RPCClientHandler {
        /// Which of its messages are commits.
        enum Kind: Sendable {
            case commit
            /// A Write stream: all but the first message in each direction, the handshake.
            case writes
            case other
        }

        private enum Outgoing: Sendable {
            case message([UInt8])
            case halfClose
        }

        private enum Incoming: Sendable {
            case message(ByteSlice)
            case writable
            case ended(RPCStatus?, RPCMetadata)
        }

        private struct State {
            var isDeaf = false
            var isOver = false
            var sent = 0
            var received = 0
            /// The server rejects a commit: delivered after the answers to earlier messages.
            var rejection: (after: Int, status: RPCStatus)?
        }

        /// The call of the real channel; none while nothing arrives.
        private final class Base: Sendable {
            private let call = Mutex<(any RPCClientCall)?>(nil)

            var value: (any RPCClientCall)? {
                get { call.withLock { $0 } }
                set { call.withLock { $0 = newValue } }
            }
        }

        private let kind: Kind
        private let conditions: NetworkConditions
        private let base = Base()
        private let outgoing: DelayLine<Outgoing>
        private let incoming: DelayLine<Incoming>
        private let state = Mutex(State())
        /// Whether the client asked for a Write stream that it can resume.
        private let isResumable = Mutex(false)

        init(_ kind: Kind, _ conditions: NetworkConditions, _ handler: any RPCClientHandler) {
            self.kind = kind
            self.conditions = conditions
            outgoing = DelayLine(sleep: conditions.sleep) { [base] event in
                switch event {
                case .message(let message): base.value?.send(message)
                case .halfClose: base.value?.halfClose()
                }
            }
            incoming = DelayLine(sleep: conditions.sleep) { event in
                switch event {
                case .message(let message): handler.receive(message)
                case .writable: handler.becameWritable()
                case .ended(let status, let trailers): handler.ended(status, trailers: trailers)
                }
            }
        }

        /// `connect` opens the call of the real channel, if the network is there.
        func open(_ connect: (any RPCClientHandler) -> any RPCClientCall) {
            switch conditions.admit(self) {
            case .offline: cut(.offline(.notConnected))
            case .silent: silence()
            case .online:
                let call = connect(self)
                base.value = call
                if state.withLock({ $0.isOver }) { call.cancel() }
            }
        }

        // MARK: The network

        /// Ends the call now. Messages in flight are lost.
        func cut(_ status: RPCStatus) {
            guard end() else { return }
            incoming.end(with: .ended(status, RPCMetadata()), on: conditions.queue)
            base.value?.cancel()
        }

        /// From now on nothing arrives in either direction.
        func silence() { state.withLock { $0.isDeaf = true } }

        /// Sends nothing more. Returns false if the call was over before.
        private func end() -> Bool {
            let isFirst = state.withLock { state in
                defer { state.isOver = true }
                return !state.isOver
            }
            guard isFirst else { return false }
            conditions.ended(self)
            outgoing.end(with: nil, on: conditions.queue)
            return true
        }

        // MARK: RPCClientCall

        func send(_ message: [UInt8]) {
            let (continues, rejection) = state.withLock { state -> (Bool, RPCStatus?) in
                guard !state.isOver, !state.isDeaf, state.rejection == nil else { return (false, nil) }
                state.sent += 1
                guard let status = self.rejection(of: message, state.sent) else { return (true, nil) }
                state.rejection = (state.sent - 1, status)
                return (false, state.received >= state.sent - 1 ? status : nil)
            }
            if continues { outgoing.put(.message(message), after: conditions.latency) }
            if let rejection { reject(rejection) }
        }

        /// The error that the server is to answer a message with.
        private func rejection(of message: [UInt8], _ number: Int) -> RPCStatus? {
            switch kind {
            case .commit: return conditions.rejection()
            case .other: return nil
            case .writes:
                // A message without writes closes the stream (LS-38).
                let message = ByteSlice(message)
                guard conditions.hasRejections || number == 1, let request = try? WriteRequest(decoding: message) else { return nil }
                if number == 1 { isResumable.withLock { $0 = WriteStreamResumption.isWanted(by: request) } }
                guard number > 1, !request.writes.isEmpty else { return nil }
                guard isResumable.withLock({ $0 }), let digest = try? WriteRequest.digest(of: message) else {
                    return conditions.rejection()
                }
                return conditions.rejection(of: digest)
            }
        }

        private func reject(_ status: RPCStatus) {
            guard end() else { return }
            incoming.put(.ended(status, RPCMetadata()), after: conditions.latency)
            base.value?.cancel()
        }

        var isWritable: Bool { base.value?.isWritable ?? true }

        func whenWritable() async throws(RPCStatus) { try await base.value?.whenWritable() }

        func halfClose() {
            if state.withLock({ !$0.isOver && !$0.isDeaf }) { outgoing.put(.halfClose, after: conditions.latency) }
        }

        func cancel() {
            if let call = base.value { call.cancel() } else { cut(RPCStatus(.cancelled, "the call was cancelled", progress: .notBegun)) }
        }

        func setReading(_ isOn: Bool) { base.value?.setReading(isOn) }

        // MARK: RPCClientHandler

        func receive(_ message: ByteSlice) {
            let (continues, isLost, rejection) = state.withLock { state -> (Bool, Bool, RPCStatus?) in
                guard !state.isOver, !state.isDeaf else { return (false, false, nil) }
                state.received += 1
                if isCommitAnswer(state.received), conditions.losesAnswer() { return (false, true, nil) }
                guard let (after, status) = state.rejection, state.received >= after else { return (true, false, nil) }
                return (true, false, status)
            }
            if continues { incoming.put(.message(message), after: conditions.latency) }
            if isLost { cut(.interrupted) }
            if let rejection { reject(rejection) }
        }

        private func isCommitAnswer(_ number: Int) -> Bool {
            switch kind {
            case .commit: true
            case .writes: number > 1
            case .other: false
            }
        }

        func becameWritable() { incoming.put(.writable, after: .zero) }

        func ended(_ status: RPCStatus?, trailers: RPCMetadata) {
            let continues = state.withLock { state in
                guard !state.isOver else { return false }
                // In silence the client receives its own cancellation and deadline only.
                if state.isDeaf, status?.code != .cancelled, status?.code != .deadlineExceeded { return false }
                state.isOver = true
                return true
            }
            guard continues else { return }
            conditions.ended(self)
            incoming.put(.ended(status, trailers), after: conditions.latency)
        }
    }
#endif
