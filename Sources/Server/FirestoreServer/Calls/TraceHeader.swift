// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC

/// What a caller sends to find its call again in logs: a request id of its own, or the trace context of the W3C.
enum TraceHeader {
    private static let longest = 128

    /// The request id if there is one; nil without either.
    static func trace(in metadata: RPCMetadata) -> String? {
        var trace: String?
        // One walk over the list; the length excludes nearly every header.
        for (name, value) in metadata.entries {
            switch name.utf8.count {
            case 12 where equalUTF8(name, "x-request-id"): trace = value
            case 11 where trace == nil && equalUTF8(name, "traceparent"): trace = value
            default: break
            }
        }
        return trace.map { String($0.prefix(longest)) }
    }
}
