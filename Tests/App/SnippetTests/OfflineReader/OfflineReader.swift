// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation

/// Follows the section of the README about working offline, in a process in whose environment `FIRESTORE_EMULATOR_HOST` alone names the
/// server. `WorkingOfflineTests` runs it.
///
/// It writes, prints "written", waits for a line of input, which means that the server has ended, and prints what it knows then.
@main
struct OfflineReader {
    static func main() async throws {
        let db = Firestore.firestore()
        let trails = db.collection("trails")
        try await trails.document("ridge").setData(["name": "Ridge Walk", "open": true])
        try await trails.document("lake").setData(["name": "Lake Loop"])
        _ = try await trails.document("lake").getDocument()
        print("written")
        fflush(nil)
        _ = readLine()

        // snippet: readme-offline
        let ridge = db.document("trails/ridge")
        try await ridge.updateData(["open": false])  // offline: returns when it is queued
        let known = try await db.collection("trails").getDocuments()  // offline: from the cache, with the change
        let waiting = try await db.pendingWrites.current()  // not uploaded yet
        let rejected = try await db.failedWrites.current()  // rejected by the server, and rolled back
        // end snippet

        let documents = known.documents.map { "\($0.documentID) \(($0["open"] as? Bool).map { "\($0)" } ?? "unknown")" }
        print("known \(documents.joined(separator: ", ")), from cache: \(known.metadata.isFromCache)")
        print("waiting \(waiting.count), rejected \(rejected.count)")
    }
}
