// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An address of IPv6, or of IPv4 in its IPv6 form, so that both spellings of an IPv4 address are the same.
struct IPAddress: Hashable {
    let bytes: [UInt8]

    private static let mappedPrefix: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]

    init?(_ text: String) {
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

    var isIPv4: Bool { bytes.starts(with: Self.mappedPrefix) }

    var isLoopback: Bool {
        isIPv4 ? bytes[12] == 127 : bytes.dropLast().allSatisfy { $0 == 0 } && bytes.last == 1
    }
}

/// The addresses that begin with the same bits: `10.0.0.0/8`, or one address.
struct AddressBlock: Hashable {
    let address: IPAddress
    /// Of 128, also for IPv4.
    let bits: Int

    init?(_ text: String) {
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

    func contains(_ other: IPAddress) -> Bool {
        for (index, (own, its)) in zip(address.bytes, other.bytes).enumerated() {
            let counted = min(max(bits - index * 8, 0), 8)
            let mask = counted == 0 ? 0 : UInt8(truncatingIfNeeded: 0xFF << (8 - counted))
            guard own & mask == its & mask else { return false }
        }
        return true
    }
}

/// The names and addresses that always mean this machine.
enum LoopbackAddress {
    static func names(_ host: String) -> Bool {
        if let address = IPAddress(host) { return address.isLoopback }
        let name = host.lowercased()
        return name == "localhost" || name == "localhost."
    }
}
