// SPDX-License-Identifier: Apache-2.0
import NIOHTTP1

/// Applies a server's policy to the headers that a connection has received.
struct Doorkeeper: Sendable {
    let policy: AccessPolicy
    let isEncrypted: Bool

    func admit(_ head: RequestHead) throws(HTTPRefusal) -> String? { try policy.admit(head.origin(isEncrypted: isEncrypted)) }

    /// Whether the path answers for every host.
    func isOpen(_ head: RequestHead) -> Bool { policy.openPaths.contains(head.origin(isEncrypted: isEncrypted).path) }

    func verdict(_ head: HTTPRequestHead) -> Result<String?, HTTPRefusal> {
        let request = RequestOrigin(
            hosts: head.headers["host"], origins: head.headers["origin"], path: RequestTarget.parse(head.uri).path,
            isEncrypted: isEncrypted, isForwarded: ["forwarded", "x-forwarded-for"].contains(where: head.headers.contains(name:)),
            mayLackHost: head.version == .http1_0)
        do throws(HTTPRefusal) {
            return .success(try policy.admit(request))
        } catch {
            return .failure(error)
        }
    }
}
