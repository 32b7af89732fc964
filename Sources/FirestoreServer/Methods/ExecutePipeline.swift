// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

extension MethodContext {
    /// ExecutePipeline belongs to another edition of Firestore (QR-72).
    var executePipeline: RPCMethod { refused("pipelines are not offered by this server; use a structured query") }

    /// A method that always fails.
    func refused(_ reason: String) -> RPCMethod {
        .stream { call in
            SingleRequestHandler(call) { _, _ in call.finish(RPCStatus(.unimplemented, reason)) }
        }
    }
}
