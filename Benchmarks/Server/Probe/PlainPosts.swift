// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import Foundation

/// POSTs to a receiver by the client that delivers events, 64 in flight: what deliveries could reach.
struct PlainPosts {
    private let connections = HTTPConnectionPool(refusesLinkLocal: false)
    private let question: HTTPQuestion

    init(port: Int) {
        var question = HTTPQuestion(usesTLS: false, host: "127.0.0.1", port: port, target: "/", header: ("content-type", "application/protobuf"))
        question.bytes = [UInt8](repeating: 0x78, count: 700)
        self.question = question
    }

    /// Requests per second.
    func rate(count: Int) async throws -> Double {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<64 {
                group.addTask {
                    for _ in stride(from: task, to: count, by: 64) {
                        let answer = try await connections.run(question, patience: .seconds(10))
                        guard answer.status == 200 else { throw ProbeFailure("the receiver answers \(answer.status)") }
                    }
                }
            }
            try await group.waitForAll()
        }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }
}
