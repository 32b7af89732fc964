// SPDX-License-Identifier: Apache-2.0

extension HTTPRequest {
    /// Whether no page sends the request, or one that this server has served, as far as headers say that pages cannot write.
    ///
    /// Pages of other servers on the same machine are not its own, although `AccessPolicy` lets them in.
    package var isFromOwnPageOrNone: Bool {
        var host: Authority?
        var origins: [PageOrigin?] = []
        for (name, value) in headers.entries {
            switch name {
            case "host": host = Authority(value)
            case "origin": origins.append(PageOrigin(value))
            case "sec-fetch-site": guard value == "same-origin" || value == "none" else { return false }
            default: break
            }
        }
        // Whether the connection is encrypted does not matter: one port speaks either, and a proxy in front may speak the other.
        return origins.allSatisfy { origin in
            guard let origin, let host else { return false }
            return origin.isOf(host, isEncrypted: false)
        }
    }
}
