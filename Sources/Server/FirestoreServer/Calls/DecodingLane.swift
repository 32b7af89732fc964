// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreCore
import FirestoreRPC
import Foundation

/// Decodes large bodies in JSON on separate threads, so that they never take all threads that serve calls, and bounds the bodies that
/// wait for that. Callers take turns: one that sends much delays its own requests.
package final class DecodingLane: Sendable {
    package struct Bounds: Sendable {
        /// Bodies up to this size are decoded where they arrive.
        package var small = 64 << 10
        /// Bytes of one caller, as sent, that wait or are being decoded…
        package var ofCaller = 32 << 20
        /// …and of all callers together.
        package var inAll = 64 << 20
        package var threads = max(1, ProcessInfo.processInfo.activeProcessorCount / 2)

        package init() {}
    }

    private struct Line {
        var bytes = 0
        var bodies: [@Sendable () -> Void] = []
    }

    private struct State {
        var lines: [String: Line] = [:]
        /// The callers with bodies that wait, in the order of their turns.
        var turns: [String] = []
        var bytes = 0
        var running = 0
    }

    private let bounds: Bounds
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.decoding", qos: .utility, attributes: .concurrent)

    package init(_ bounds: Bounds = Bounds()) { self.bounds = bounds }

    /// The largest body that is decoded where it arrives.
    package var small: Int { bounds.small }

    /// The bytes that wait or are being decoded.
    package var bytes: Int { state.withLock { $0.bytes } }

    /// Decodes a body when it is its turn, and then continues on a thread that serves calls.
    package func decode<Result: Sendable>(
        bytes: Int, of caller: String, _ body: @escaping @Sendable () -> Result, then: @escaping @Sendable (Result) -> Void
    ) throws(FirestoreError) {
        let work: @Sendable () -> Void = { [self] in
            let result = body()
            finished(bytes, of: caller)
            DispatchQueue.global(qos: .userInitiated).async { then(result) }
        }
        let (refusal, needsThread): (FirestoreError?, Bool) = state.withLock { state in
            var line = state.lines[caller] ?? Line()
            guard line.bytes + bytes <= bounds.ofCaller else { return (.tooMuchOfCaller(bounds.ofCaller), false) }
            guard state.bytes + bytes <= bounds.inAll else { return (.tooMuchInAll(bounds.inAll), false) }
            if line.bodies.isEmpty { state.turns.append(caller) }
            line.bytes += bytes
            line.bodies.append(work)
            state.lines[caller] = line
            state.bytes += bytes
            guard state.running < bounds.threads else { return (nil, false) }
            state.running += 1
            return (nil, true)
        }
        if let refusal { throw refusal }
        if needsThread { queue.async { self.run() } }
    }

    private func run() {
        while let work = next() { work() }
    }

    /// The next body; nil, and from then on another thread has to be started, if there is none.
    private func next() -> (@Sendable () -> Void)? {
        state.withLock { state in
            guard !state.turns.isEmpty else {
                state.running -= 1
                return nil
            }
            let caller = state.turns.removeFirst()
            let work = state.lines[caller]?.bodies.removeFirst()
            if state.lines[caller]?.bodies.isEmpty == false { state.turns.append(caller) }
            return work
        }
    }

    private func finished(_ bytes: Int, of caller: String) {
        state.withLock { state in
            state.bytes -= bytes
            state.lines[caller]?.bytes -= bytes
            if state.lines[caller]?.bytes == 0 { state.lines[caller] = nil }
        }
    }
}

/// Whether a caller still waits for its answer: its body is not decoded otherwise.
package final class CallerPresence: Sendable {
    private let isOver = Mutex(false)

    package init() {}

    package var hasEnded: Bool { isOver.withLock { $0 } }

    package func end() { isOver.withLock { $0 = true } }
}

extension DecodingLane {
    /// Users are distinguished by their ids, other callers by their addresses.
    package static func caller(_ caller: RequestContext.Caller?, at peer: String) -> String {
        if case .user(let id, _)? = caller { return "user \(id)" }
        let port = peer.utf8.lastIndex(of: UInt8(ascii: ":")) ?? peer.endIndex
        return "address \(peer[..<port])"
    }
}

extension FirestoreError {
    fileprivate static func tooMuchOfCaller(_ limit: Int) -> FirestoreError {
        FirestoreError(
            .resourceExhausted,
            "requests of this caller with more than \(limit) bytes together wait to be read; send fewer large requests at a time")
    }

    fileprivate static func tooMuchInAll(_ limit: Int) -> FirestoreError {
        FirestoreError(.resourceExhausted, "requests with more than \(limit) bytes together wait to be read; try again later")
    }
}
