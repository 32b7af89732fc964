// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSync
import Foundation

/// Executes the commands of another program from standard input. Fields are JSON as in the REST protocol. Every line is answered with one
/// line, which begins with `ok` or `error`:
///
///     offline | online            disables and enables the network
///     set <path> <fields>         queues a write and answers when it is saved
///     update <path> <fields>      the same, of a document that must exist, field by field
///     increment <path> <field> <number>
///     delete <path>
///     sent                        waits until the server has everything
///     get <path>                  from the server, or from the cache while offline
///     list <collection>           documents by path, in the same way
///     failed                      the number of failed writes
struct ObedientRun {
    private let client: SyncClient

    init(_ client: SyncClient) { self.client = client }

    func run() async {
        say("ready")
        while let line = readLine() {
            let words = line.split(separator: " ", maxSplits: 2).map(String.init)
            do throws(FirestoreError) {
                say("ok " + (try await obey(words)))
            } catch {
                say("error \(error.code) \(error.message)")
            }
        }
        await client.terminate()
    }

    private func obey(_ words: [String]) async throws(FirestoreError) -> String {
        switch (words.first, words.count) {
        case ("offline", 1): try await client.setNetworkEnabled(false)
        case ("online", 1): try await client.setNetworkEnabled(true)
        case ("sent", 1): try await client.waitForPendingWrites()
        case ("failed", 1): return "\(try await client.queue?.failedWrites().count ?? 0)"
        case ("set", 3): try await save(Write(key: key(words), operation: .set(try fields(words))))
        case ("update", 3):
            let fields = try fields(words)
            let mask = try fields.map.entries.map { FieldPathSegments($0.name) }
            try await save(Write(key: key(words), operation: .patch(fields, mask: mask), precondition: .exists(true)))
        case ("increment", 3):
            let parts = words[2].split(separator: " ").map(String.init)
            let transform = FieldTransform(path: FieldPathSegments(parts[0]), kind: .increment(.integer(Int64(parts[1]) ?? 0)))
            try await save(Write(key: key(words), operation: .patch(.empty, mask: []), transforms: [transform]))
        case ("delete", 2): try await save(Write(key: key(words), operation: .delete))
        case ("get", 2):
            let found = try await client.documents([key(words)], from: .default, at: .latest)
            guard let document = found.documents[0] else { return "null" }
            return try document.fields.map.json.text()
        case ("list", 2):
            let query = ClientQuery(StructuredQuery(scope: .collection(CollectionPath(trusted: words[1]))))
            let snapshot = try await client.run(query, from: .default, at: .latest)
            var documents: [(String, JSON)] = []
            for document in snapshot.documents { documents.append((document.key.path, try document.fields.map.json)) }
            return JSON.object(documents).text()
        default: throw .invalidArgument("not understood: \(words)", at: nil)
        }
        return ""
    }

    private func key(_ words: [String]) -> DocumentKey { DocumentKey(trusted: words[1]) }

    private func fields(_ words: [String]) throws(FirestoreError) -> FieldBytes {
        FieldBytes(try FieldMap(JSONNode(JSON(Array(words[2].utf8)))))
    }

    private func save(_ write: Write) async throws(FirestoreError) {
        let result: Result<Void, FirestoreError> = await withCheckedContinuation { continuation in
            let isOver = Mutex(false)
            @Sendable func end(_ result: Result<Void, FirestoreError>) {
                let isFirst = isOver.withLock { isOver in
                    defer { isOver = true }
                    return !isOver
                }
                if isFirst { continuation.resume(returning: result) }
            }
            client.write(
                [write], saved: { _ in end(.success(())) },
                completion: { end($0.map { _ in }) })
        }
        try result.get()
    }
}
