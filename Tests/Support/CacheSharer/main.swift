// SPDX-License-Identifier: Apache-2.0

// A child process for the tests of a cache that several processes share. Usage:
//
//     CacheSharer <file> <port>
//
// It uses the cache in the file for a server on a port of this machine, prints "ready", and does what its input says:
//
//     listen <collection>       prints "<collection> <ids with their number n, * for pending writes> cache|server" with each snapshot
//     set <path> <number>       writes, and prints "saved <path>" and later "done <path>" or "failed <path>"
//     increment <path>          the same
//     end                       terminates the client and ends

import Foundation
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreSync

/// One line in one unbuffered write: it is out before the next statement runs.
@Sendable func say(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

let arguments = CommandLine.arguments
guard arguments.count == 3, let port = Int(arguments[2]) else {
    say("usage: CacheSharer <file> <port>")
    exit(2)
}
let database = DatabaseID(projectID: "shared")
let client: SyncClient
do {
    let channel = try RPCClientChannel(RPCClientConfiguration(host: "127.0.0.1", port: port))
    let service = RemoteService(channel, database: database)
    client = try SyncClient(
        SyncClient.Parts(
            database: database, transport: try service.transport, service: service,
            cache: { user in
                LocalStore.Configuration(location: .file(path: arguments[1]), databaseID: database, server: "shared", user: user)
            }))
} catch {
    say("refused \(error)")
    exit(3)
}
say("ready")

func submit(_ write: Write) {
    let path = write.key.path
    client.write([write], saved: { _ in say("saved \(path)") }) { result in
        if case .success = result { say("done \(path)") } else { say("failed \(path)") }
    }
}

var handles: [any ListenHandle] = []
while let line = readLine() {
    let words = line.split(separator: " ").map(String.init)
    switch words.first {
    case "listen":
        let query = StructuredQuery(scope: .collection(CollectionPath(trusted: words[1])))
        handles.append(
            client.listen(
                to: .query(ClientQuery(query)), options: ListenOptions(includeMetadataChanges: true), schedule: { $0() },
                onEvent: { event in
                    guard let snapshot = try? event.get() else { return say("\(words[1]) failed") }
                    let documents = snapshot.documents.map { document in
                        var number = ""
                        if case .integer(let n)? = (try? document.fields.map)?["n"] { number = "\(n)" }
                        return "\(document.key.id)=\(number)\(snapshot.pendingKeys.contains(document.key) ? "*" : "")"
                    }
                    say("\(words[1]) [\(documents.joined(separator: " "))] \(snapshot.isFromCache ? "cache" : "server")")
                }))
    case "set":
        submit(
            Write(
                key: DocumentKey(trusted: words[1]),
                operation: .set(FieldBytes(FieldMap([("n", .integer(Int64(words[2]) ?? 0))])))))
    case "increment":
        submit(
            Write(
                key: DocumentKey(trusted: words[1]), operation: .patch(.empty, mask: []),
                transforms: [FieldTransform(path: FieldPathSegments("n"), kind: .increment(.integer(1)))]))
    case "end":
        await client.terminate()
        exit(0)
    default: break
    }
}
