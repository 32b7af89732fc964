// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An address of IPv6, or of IPv4 in its IPv6 form, so that both spellings of an IPv4 address are the same.
package struct IPAddress: Hashable {
    package let bytes: [UInt8]

    private static let mappedPrefix: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    package init?(_ text: String) {
        // A zone, as in fe80::1%eth0, names an interface of this machine and is not part of the address.
        let plain = String(text.prefix { $0 != "%" })
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, plain, &four) == 1 {
            bytes = Self.mappedPrefix + withUnsafeBytes(of: four) { [UInt8]($0) }
        } else if inet_pton(AF_INET6, plain, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { [UInt8]($0) }
        } else {
            return nil
        }
    }

    /// `192.0.2.1`, or all eight groups of an IPv6 address.
    package var text: String {
        if isIPv4 { return bytes.suffix(4).map(String.init).joined(separator: ".") }
        let groups = stride(from: 0, to: 16, by: 2).map { Int(bytes[$0]) << 8 | Int(bytes[$0 + 1]) }
        return groups.map { String($0, radix: 16) }.joined(separator: ":")
    }

    package var isIPv4: Bool { bytes.starts(with: Self.mappedPrefix) }

    package var isLoopback: Bool {
        isIPv4 ? bytes[12] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
}

/// The addresses that begin with the same bits: `10.0.0.0/8`, or one address.
package struct AddressBlock: Hashable {
    package let address: IPAddress
    /// Of 128, also for IPv4.
    package let bits: Int

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
        let width = address.isIPv4 ? 32 : 128
        var bits = width
        if parts.count == 2 {
            // Digits alone: a sign is not part of a number of bits.
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let given = Int(parts[1]), (0...width).contains(given) else {
                return nil
            }
            bits = given
        }
        self.address = address
        self.bits = bits + 128 - width
    }

    package func contains(_ other: IPAddress) -> Bool {
        for (index, (own, its)) in zip(address.bytes, other.bytes).enumerated() {
            let counted = min(max(bits - index * 8, 0), 8)
            let mask = counted == 0 ? 0 : UInt8(truncatingIfNeeded: 0xFF << (8 - counted))
            guard own & mask == its & mask else { return false }
        }
        return true
    }
}

/// The names and addresses that always mean this machine.
package enum LoopbackAddress {
    package static func names(_ host: String) -> Bool {
        if let address = IPAddress(host) { return address.isLoopback }
        let name = host.lowercased()
        return name == "localhost" || name == "localhost."
    }
}

extension IPAddress {
    /// The part of an address by which clients are distinguished: of IPv6 the first 64 bits, because a client controls
    /// all addresses behind them.
    package static func network(of address: String) -> String {
        guard address.utf8.contains(UInt8(ascii: ":")), !address.utf8.contains(UInt8(ascii: ".")) else { return address }
        let halves = address.split(separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        var groups = halves[0].split(separator: ":").map(String.init)
        if halves.count > 1 {
            let tail = halves[1].split(separator: ":").map(String.init)
            groups += Array(repeating: "0", count: max(0, 8 - groups.count - tail.count)) + tail
        }
        return groups.prefix(4).joined(separator: ":") + "::/64"
    }
}
