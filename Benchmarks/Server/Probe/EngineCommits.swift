// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreEngine
import Foundation

/// Commits of one write of 1 KB straight into the engine, 64 in flight: what a server's commits are measured against.
struct EngineCommits {
    private static let inFlight = 64

    private let engine: Engine
    /// The write that the driver sends: the number counts up, so that it is never a write that changes nothing.
    private let write: Write

    init(directory: String, durability: String) throws {
        engine = try ProbeDatabase.open(
            path: directory + "/commits.sqlite", durability: durability == "relaxed" ? .relaxed : .full)
        let entries = ProbeDatabase.entries(0)
        let increment = FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1)))
        write = Write(
            key: ProbeDatabase.key(0),
            operation: .patch(FieldBytes(FieldMap(entries)), mask: entries.map { FieldPathSegments($0.0) }.sorted()),
            transforms: [increment])
    }

    /// Commits per second.
    func rate(seconds: Double) async throws -> Double {
        let committed = Mutex(0)
        let failure = Mutex<FirestoreError?>(nil)
        let room = DispatchSemaphore(value: Self.inFlight)
        // A separate thread: `submit` may block, and the semaphore does.
        let elapsed: Double = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                let start = DispatchTime.now().uptimeNanoseconds
                let end = start + UInt64(seconds * 1e9)
                while DispatchTime.now().uptimeNanoseconds < end {
                    room.wait()
                    engine.submit([write], context: ProbeDatabase.context) { result in
                        switch result {
                        case .success: committed.withLock { $0 += 1 }
                        case .failure(let error): failure.withLock { $0 = error }
                        }
                        room.signal()
                    }
                }
                for _ in 0..<Self.inFlight { room.wait() }
                let elapsed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
                for _ in 0..<Self.inFlight { room.signal() }
                continuation.resume(returning: elapsed)
            }
        }
        if let error = failure.withLock({ $0 }) { throw error }
        return Double(committed.withLock { $0 }) / elapsed
    }

    func close() async { await engine.shutdown() }
}
