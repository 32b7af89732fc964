// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#endif

/// An address at which clouds keep the secrets of machines: a link-local one, or one of those that providers use instead.
///
/// Requests whose URLs are written down somewhere are not sent there, whatever name leads to it. Private addresses are allowed: receivers
/// are often in the same network.
package struct CloudAddress: Error {
    /// Whether a numeric address is one of them, also as an address of IPv6 that represents one of IPv4: mapped, compatible, translated
    /// (NAT64, SIIT) or tunnelled (6to4, Teredo, ISATAP).
    package static func matches(_ address: String) -> Bool {
        let plain = String(address.prefix { $0 != "%" })
        var four = [UInt8](repeating: 0, count: 4)
        if inet_pton(AF_INET, plain, &four) == 1 { return isRefused(four[...]) }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, plain, &bytes) == 1 else { return false }
        // fe80::/10
        if bytes[0] == 0xFE, bytes[1] & 0xC0 == 0x80 { return true }
        return metadata.contains(bytes) || embedded(in: bytes).contains(where: isRefused)
    }

    /// The addresses of IPv6 at which AWS, Google and Oracle answer.
    private static let metadata: Set<[UInt8]> = [
        [0xFD, 0, 0x0E, 0xC2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
        [0xFD, 0x20, 0, 0xCE, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x02, 0x54],
        [0xFD, 0, 0, 0xC1, 0, 0, 0, 0, 0, 0, 0, 0, 0xA9, 0xFE, 0xA9, 0xFE],
    ]

    private static func isRefused(_ four: ArraySlice<UInt8>) -> Bool {
        let four = Array(four)
        // 169.254.0.0/16, then those of Alibaba, Oracle and Azure.
        return four.starts(with: [169, 254]) || four == [100, 100, 100, 200] || four == [192, 0, 0, 192] || four == [168, 63, 129, 16]
    }

    /// The addresses of IPv4 that an address of IPv6 may represent.
    private static func embedded(in bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var found: [ArraySlice<UInt8>] = []
        let zeros = [UInt8](repeating: 0, count: 8)
        // ::a.b.c.d, ::ffff:a.b.c.d and ::ffff:0:a.b.c.d
        if bytes.starts(with: zeros), bytes[8...11].allSatisfy({ $0 == 0 || $0 == 0xFF }) { found.append(bytes[12...]) }
        // 64:ff9b::/96, and the prefixes that networks choose below 64:ff9b:1::/48
        if bytes.starts(with: [0, 0x64, 0xFF, 0x9B]) {
            found.append(bytes[12...])
            found.append((bytes[6...7] + bytes[9...10])[...])
        }
        // 2002::/16
        if bytes.starts(with: [0x20, 0x02]) { found.append(bytes[2...5]) }
        // 2001::/32, in which the client's address is inverted
        if bytes.starts(with: [0x20, 0x01, 0, 0]) {
            found.append(bytes[4...7])
            found.append(bytes[12...].map { ~$0 }[...])
        }
        // …:0:5efe:a.b.c.d
        if bytes[9] == 0, bytes[10] == 0x5E, bytes[11] == 0xFE { found.append(bytes[12...]) }
        return found
    }
}

/// Ends connections to such addresses before anything is sent.
final class CloudAddressGuard: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    func channelActive(context: ChannelHandlerContext) {
        guard let address = context.remoteAddress?.ipAddress, CloudAddress.matches(address) else {
            return context.fireChannelActive()
        }
        context.fireErrorCaught(CloudAddress())
        context.close(promise: nil)
    }
}
