// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC

/// The services of a server, asked in order.
struct ServiceList: RPCService {
    let services: [any RPCService]

    func method(at path: String) -> RPCMethod? {
        for service in services {
            if let method = service.method(at: path) { return method }
        }
        return nil
    }
}
