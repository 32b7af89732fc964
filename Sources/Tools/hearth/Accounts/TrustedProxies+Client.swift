// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC

extension TrustedProxies {
    /// The address of the client that sends a request, for limits.
    func client(of request: HTTPRequest) -> String {
        guard let peer = Self.peer(of: request.peer) else { return request.peer }
        return client(of: peer, request.headers).text
    }
}

extension IPAddress {
    /// `192.0.2.1`, or all eight groups of an IPv6 address.
    var text: String {
        if isIPv4 { return bytes.suffix(4).map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }
}
