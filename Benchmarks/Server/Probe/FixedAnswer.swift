// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import Foundation

/// Our transport alone: every unary call gets the same bytes back, whatever the request is.
struct FixedAnswer: RPCService {
    private let answer: [UInt8]

    static func serve(port: Int, file: String) async throws {
        let answer = FixedAnswer(answer: [UInt8](try Data(contentsOf: URL(fileURLWithPath: file))))
        let server = RPCServer(configuration: RPCServerConfiguration(port: port), service: answer)
        _ = try await server.start()
        // Until the driver ends the process.
        while true { try await Task.sleep(for: .seconds(3_600)) }
    }

    func method(at path: String) -> RPCMethod? {
        .unary { [answer] calls in
            for call in calls { call.respond(.success(answer)) }
        }
    }
}
