// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreWire
import Logging

/// Logs slow calls on a separate thread, because calls must not wait for a slow reader of the log. While too many wait to be written,
/// further ones are only counted.
final class SlowCallLog: Sendable {
    private struct State {
        var waiting = 0
        var unlogged = 0
    }

    private static let most = 200

    private let log: Logger
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "hearth.slow.log", qos: .utility)

    init(_ log: Logger) { self.log = log }

    func note(_ call: MeasuredCall, plan: QueryPlanNote?) {
        let fits = state.withLock { state in
            guard state.waiting < Self.most else {
                state.unlogged += 1
                return false
            }
            state.waiting += 1
            return true
        }
        if fits { queue.async { self.write(call, plan) } }
    }

    private func write(_ call: MeasuredCall, _ plan: QueryPlanNote?) {
        let unlogged = state.withLock { state in
            state.waiting -= 1
            defer { state.unlogged = 0 }
            return state.unlogged
        }
        log.notice("slow call", metadata: Self.metadata(call, plan, unlogged: unlogged))
    }

    static func metadata(_ call: MeasuredCall, _ plan: QueryPlanNote?, unlogged: Int = 0) -> Logger.Metadata {
        var metadata = call.database.metadata
        metadata["method"] = "\(call.shape.method)"
        metadata["shape"] = "\(call.shape.text)"
        metadata["code"] = "\(call.code.canonicalName)"
        metadata["milliseconds"] = "\(milliseconds(call.duration))"
        metadata["read"] = "\(call.costs.documentsRead)"
        metadata["returned"] = "\(call.costs.documentsReturned)"
        if call.costs.entriesRead > 0 { metadata["entries"] = "\(call.costs.entriesRead)" }
        for (name, part) in [("wait", call.costs.wait), ("lock", call.costs.lock), ("send", call.costs.send)] where part > .zero {
            metadata["\(name)"] = "\(milliseconds(part))"
        }
        if let plan { metadata["plan"] = "\(plan.sentence)" }
        if let trace = call.trace { metadata["trace"] = "\(trace)" }
        if unlogged > 0 { metadata["unlogged"] = "\(unlogged)" }
        return metadata
    }

    /// With three digits after the point.
    private static func milliseconds(_ duration: Duration) -> Double { (duration / .microseconds(1)).rounded() / 1_000 }

    /// Returns when what came before is logged.
    func finish() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            queue.async { continuation.resume() }
        }
    }
}
