// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// How many connections one address may have, and whose address a connection counts for.
package struct AddressBound: Sendable {
    package enum Client: Sendable, Equatable {
        case address(String)
        /// A proxy: its requests count for the clients that it names, as a connection each.
        case proxy
        case unbounded
    }

    package var limit: Int
    /// The client of a connection from `peer`, or of a request with these headers on it.
    package var client: @Sendable (_ peer: String, _ metadata: RPCMetadata?) -> Client

    package init(limit: Int, client: @escaping @Sendable (_ peer: String, _ metadata: RPCMetadata?) -> Client) {
        self.limit = limit
        self.client = client
    }
}

/// What is open of each address.
final class AddressTable: Sendable {
    let limit: Int
    private let counts = Mutex<[String: Int]>([:])

    init(limit: Int) { self.limit = limit }

    /// Returns false if the address has all that it may have.
    func enter(_ address: String) -> Bool {
        counts.withLock { counts in
            let count = counts[address, default: 0]
            guard count < limit else { return false }
            counts[address] = count + 1
            return true
        }
    }

    func leave(_ address: String) {
        counts.withLock { counts in
            guard let count = counts[address] else { return }
            counts[address] = count > 1 ? count - 1 : nil
        }
    }

    /// The number of addresses.
    var count: Int { counts.withLock { $0.count } }
}

/// The clients behind a proxy: each request that is open counts as a connection of its client.
struct ProxiedClients: Sendable {
    let table: AddressTable
    let client: @Sendable (RPCMetadata) -> AddressBound.Client

    /// Returns the client that a request was counted for; nil in a success if it is not bounded.
    func enter(_ metadata: RPCMetadata) -> Result<String?, RPCStatus> {
        guard case .address(let address) = client(metadata) else { return .success(nil) }
        guard table.enter(address) else {
            return .failure(
                RPCStatus(
                    .resourceExhausted,
                    "\(table.limit) requests of this client are open, which is the most one address may have; close some"))
        }
        return .success(address)
    }

    func leave(_ address: String) { table.leave(address) }
}
