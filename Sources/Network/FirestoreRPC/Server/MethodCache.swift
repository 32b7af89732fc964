// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The methods that a connection has used: a service may be slow to look one up, and clients use few.
struct MethodCache {
    private var entries: [(path: String, method: RPCMethod)] = []
    private static let capacity = 32

    mutating func method(at path: String, of service: any RPCService) -> RPCMethod? {
        for entry in entries where equalUTF8(entry.path, path) { return entry.method }
        guard let method = service.method(at: path) else { return nil }
        if entries.count == Self.capacity { entries.removeFirst() }
        entries.append((path, method))
        return method
    }
}
