// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreRPC

/// A service that lets another one answer some calls, and rejects the others itself.
package struct GuardedService: RPCService {
    private let base: any RPCService
    private let refusal: @Sendable (RPCCallInfo) -> RPCStatus?

    /// `refusal`: nil for a call that `base` answers.
    package init(_ base: any RPCService, refusal: @escaping @Sendable (RPCCallInfo) -> RPCStatus?) {
        (self.base, self.refusal) = (base, refusal)
    }

    package func method(at path: String) -> RPCMethod? {
        switch base.method(at: path) {
        case .unary(let answer)?:
            .unary { calls in
                answer(
                    calls.filter { call in
                        guard let status = refusal(call.info) else { return true }
                        call.respond(.failure(status))
                        return false
                    })
            }
        case .stream(let answer)?:
            .stream { call in
                guard let status = refusal(call.info) else { return answer(call) }
                call.finish(status)
                return DeafHandler()
            }
        case nil: nil
        }
    }
}

/// Ignores what arrives for a call that has ended.
package final class DeafHandler: RPCStreamHandler {
    package init() {}

    package func receive(_ message: ByteSlice) {}
    package func halfClosed() {}
    package func becameWritable() {}
    package func ended(_ status: RPCStatus?) {}
    package func drain() {}
}
