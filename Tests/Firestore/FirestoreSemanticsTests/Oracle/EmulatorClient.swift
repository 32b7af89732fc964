// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The official emulator over REST, as much of it as the oracle test needs.
struct EmulatorClient {
    /// `host:port`, from `HEARTH_ORACLE`; `dev/oracle queries` sets it.
    static let address = ProcessInfo.processInfo.environment["HEARTH_ORACLE"]

    private let root = "projects/p/databases/(default)/documents"
    private let address: String

    init?() {
        guard let address = Self.address else { return nil }
        self.address = address
    }

    struct Refusal: Error { let status: Int, body: String }

    func clear() async throws {
        _ = try await send("DELETE", "/emulator/v1/" + root, nil)
    }

    func write(_ documents: [Document]) async throws {
        let writes = try documents.map { document in
            ["update": ["name": "\(root)/\(document.key.path)", "fields": EmulatorJSON.fields(try document.fields.map)]]
        }
        _ = try await send("POST", "/v1/\(root):commit", ["writes": writes])
    }

    /// The names of the result, or a `Refusal`.
    func run(_ query: StructuredQuery) async throws -> [String] {
        let (parent, body) = try EmulatorJSON.query(query)
        let answer = try await send("POST", "/v1/\(root)\(parent):runQuery", ["structuredQuery": body])
        return (answer as? [[String: Any]] ?? []).compactMap {
            (($0["document"] as? [String: Any])?["name"] as? String)?.replacingOccurrences(of: root + "/", with: "")
        }
    }

    /// The numbers, in the order asked for, or a `Refusal`.
    func aggregate(_ query: StructuredQuery, _ aggregations: [Aggregation]) async throws -> [Value] {
        let (parent, body) = try EmulatorJSON.query(query)
        let asked = zip(aggregations, aggregations.aliases).map { EmulatorJSON.aggregation($0, alias: $1) }
        let answer = try await send(
            "POST", "/v1/\(root)\(parent):runAggregationQuery",
            ["structuredAggregationQuery": ["structuredQuery": body, "aggregations": asked]])
        let result = (answer as? [[String: Any]])?.first?["result"] as? [String: Any]
        let fields = result?["aggregateFields"] as? [String: [String: Any]] ?? [:]
        return aggregations.aliases.map { EmulatorJSON.number(fields[$0] ?? [:]) }
    }

    private func send(_ method: String, _ path: String, _ body: Any?) async throws -> Any {
        var url = URLComponents()
        url.scheme = "http"
        url.percentEncodedPath = path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? path
        guard let place = URL(string: "http://\(address)\(url.percentEncodedPath)") else {
            throw Refusal(status: 0, body: "no URL")
        }
        var request = URLRequest(url: place)
        request.httpMethod = method
        request.setValue("Bearer owner", forHTTPHeaderField: "Authorization")
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let body { request.httpBody = try JSONSerialization.data(withJSONObject: body) }
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw Refusal(status: status, body: String(decoding: data, as: UTF8.self)) }
        return try JSONSerialization.jsonObject(with: data)
    }
}
