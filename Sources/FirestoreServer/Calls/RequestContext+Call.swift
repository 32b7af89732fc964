// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

extension RequestContext {
    /// The caller and the deadline, from the headers. The server does not let reads wait for unacknowledged writes.
    init(_ info: RPCCallInfo) throws(FirestoreError) {
        var authorization: String?
        var trace: String?
        // One walk over the list; the length excludes nearly every header.
        for (name, value) in info.metadata.entries {
            switch name.utf8.count {
            case 13 where authorization == nil && equalUTF8(name, "authorization"): authorization = value
            case 12 where equalUTF8(name, "x-request-id"): trace = value
            case 11 where trace == nil && equalUTF8(name, "traceparent"): trace = value
            default: break
            }
        }
        self.init(
            caller: try Caller(authorization: authorization), deadline: info.deadline, trace: trace.map { String($0.prefix(128)) })
    }
}
