// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// Records what a server's observer receives, one line each.
final class CountingObserver: RPCObserver {
    private let state = Mutex<[String]>([])
    var lines: [String] { state.withLock { $0 } }
    private func note(_ line: String) { state.withLock { $0.append(line) } }
    func connectionOpened() { note("opened") }
    func connectionClosed() { note("closed") }
    func connectionRefused() { note("connection refused") }
    func callStarted(_ path: String) { note("started \(path)") }
    func requestRefused(_ code: FirestoreError.Code, isGRPC: Bool) { note("refused \(isGRPC ? "call" : "request") \(code)") }
    func shed(_ reason: ShedReason) { note("shed \(reason.rawValue)") }
    func callEnded(_ call: RPCCallRecord) { note("ended \(call.path) \(call.code) \(call.received) \(call.sent)") }
}
