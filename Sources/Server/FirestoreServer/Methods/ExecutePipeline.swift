// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

extension MethodContext {
    /// ExecutePipeline belongs to another edition of Firestore (QR-72).
    var executePipeline: RPCMethod { refused("pipelines are not offered by this server; use a structured query") }

    /// A method that always fails, after its caller is known as everywhere: with a wrong token it fails for that reason.
    func refused(_ reason: String) -> RPCMethod {
        .stream { call in
            SingleRequestHandler(call) { _, handler in
                answer(call, handler) { () throws(FirestoreError) in
                    _ = try await identification.identify(call.info)
                    throw FirestoreError(.unimplemented, reason)
                }
            }
        }
    }
}
