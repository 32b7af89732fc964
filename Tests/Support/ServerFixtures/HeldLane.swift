// SPDX-License-Identifier: Apache-2.0
import Dispatch
package import FirestoreServer
import Testing

/// A lane of one thread that tests occupy.
package struct HeldLane: Sendable {
    package let lane: DecodingLane
    private let gate = DispatchSemaphore(value: 0)
    private let ended = AsyncStream<Void>.makeStream()

    package init(small: Int = 64, ofCaller: Int = 10_000, inAll: Int = 15_000) {
        var bounds = DecodingLane.Bounds()
        (bounds.small, bounds.ofCaller, bounds.inAll, bounds.threads) = (small, ofCaller, inAll, 1)
        lane = DecodingLane(bounds)
    }

    /// Returns once the thread works at a body, which takes until `release`.
    package func hold(bytes: Int, of caller: String) async {
        await withCheckedContinuation { (began: CheckedContinuation<Void, Never>) in
            do {
                try lane.decode(bytes: bytes, of: caller) { [gate] in
                    began.resume()
                    gate.wait()
                } then: { [ended] _ in
                    ended.continuation.yield()
                }
            } catch {
                Issue.record(error)
                began.resume()
            }
        }
    }

    /// Returns once the body that was held is decoded.
    package func release() async {
        gate.signal()
        for await _ in ended.stream { return }
    }
}
