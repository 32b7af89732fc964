// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire
import Foundation

/// A commit in JSON to its writes, as REST does it, or from protobuf, as gRPC does it.
struct CommitDecoding {
    private let call: RESTCall
    private let json: ByteSlice
    private let message: ByteSlice
    private let isREST: Bool

    /// `side`: `rest` or `grpc`. `file`: the body of a commit.
    init(side: String, file: String) throws {
        guard ["rest", "grpc"].contains(side) else { throw ProbeFailure("\(side) is neither rest nor grpc") }
        isREST = side == "rest"
        guard let call = try RESTRouter.match(verb: "POST", path: "/v1/projects/large/databases/(default)/documents:commit") else {
            throw ProbeFailure("no method commits")
        }
        self.call = call
        json = ByteSlice([UInt8](try Data(contentsOf: URL(filePath: file))))
        message = try call.requestBytes(body: json)
    }

    /// Processor time of one decoding.
    func seconds(repetitions: Int) throws -> Double {
        let start = Self.processorTime
        for _ in 0..<repetitions {
            let bytes = isREST ? try call.requestBytes(body: json) : message
            guard try CommitRequest(decoding: bytes).writes.count > 1 else { throw ProbeFailure("the commit has no writes") }
        }
        return (Self.processorTime - start) / Double(repetitions)
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
