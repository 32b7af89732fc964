// SPDX-License-Identifier: Apache-2.0
import FirestoreAuthentication
import Testing

struct IPAddressTests {
    static let addresses: [(address: String, network: String)] = [
        ("192.0.2.1", "192.0.2.1"), ("::1", "0:0:0:0::/64"), ("2001:db8::1", "2001:db8:0:0::/64"), ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.1"), ("", ""), (":", "::/64"), ("::::", "0:0:0:0::/64"),
    ]

    @Test(arguments: addresses) func `a network of IPv6 is limited as one address`(row: (address: String, network: String)) {
        #expect(IPAddress.network(of: row.address) == row.network)
    }
}
