// SPDX-License-Identifier: Apache-2.0
import FirebaseCore
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Rows of api.md that no other suite has as its subject: each exists under its name and does what an embedded database
/// is documented to do.
@Suite struct ClassicSurfaceTests {
    let db = Scratch.firestore()

    // MARK: FirebaseCore (1.1, 1.2, 1.4)

    @Test func `an app stores its data collection switch and reports its deletion`() async {
        let app = Scratch.app()
        #expect(app.isDataCollectionDefaultEnabled)
        app.isDataCollectionDefaultEnabled = false
        #expect(!app.isDataCollectionDefaultEnabled)
        let first: Bool = await completion { done in app.delete { done($0) } }
        let second: Bool = await completion { done in app.delete { done($0) } }
        #expect(first && !second)
    }

    @Test func `options have every key`() throws {
        let options = FirebaseOptions(googleAppID: "1:1:ios:1", gcmSenderID: "2")
        options.apiKey = "key"
        options.bundleID = "bundle"
        options.clientID = "client"
        options.databaseURL = "https://example.org"
        options.storageBucket = "bucket"
        options.appGroupID = "group"
        options.googleAppID = "1:2:ios:3"
        options.gcmSenderID = "4"
        let copy = try #require(options.copy() as? FirebaseOptions)
        #expect(copy == options)
        #expect(copy.clientID == "client" && copy.databaseURL == "https://example.org" && copy.storageBucket == "bucket" && copy.appGroupID == "group")
        #expect(copy.bundleID == "bundle" && copy.apiKey == "key" && copy.googleAppID == "1:2:ios:3" && copy.gcmSenderID == "4")
        copy.appGroupID = nil
        #expect(copy != options)
    }

    @Test func `timestamps compare in the order of time`() {
        let early = Timestamp(seconds: -1, nanoseconds: 5)
        let late = Timestamp(seconds: -1, nanoseconds: 6)
        #expect(early.compare(late) == .orderedAscending && late.compare(early) == .orderedDescending)
        #expect(early.compare(Timestamp(seconds: -1, nanoseconds: 5)) == .orderedSame)
    }

    // MARK: Firestore (2)

    @Test(.only(.instances)) func `named databases have separate instances and data`() async throws {
        let app = Scratch.app()
        let main = Scratch.firestore(of: app)
        let other = Scratch.firestore(of: app, database: "other")
        #expect(main === Firestore.firestore(app: app) && main !== other && other === Firestore.firestore(app: app, database: "other"))
        #expect(main.app === app && other.app === app)
        try await main.document("a/b").setData(["n": 1])
        #expect(try await !other.document("a/b").getDocument().exists)
        let foreign = ["reference": other.document("a/b")]
        #expect(isFailure(await failure { try await main.document("a/c").setData(foreign) }, .invalidArgument, naming: "same database"))
    }

    @Test func `the network can be switched, and not after the end`() async throws {
        try await db.disableNetwork()
        try await db.document("a/b").setData(["n": 1])
        if Mode.can(.oneAuthority) {
            #expect(try await db.document("a/b").getDocument(source: .server).exists)
        } else {
            #expect(isFailure(await failure { try await db.document("a/b").getDocument(source: .server) }, .unavailable))
            #expect(try await db.document("a/b").getDocument().metadata.hasPendingWrites)
        }
        try await db.enableNetwork()
        let off: (any Error)? = await completion { done in db.disableNetwork { done($0) } }
        let on: (any Error)? = await completion { done in db.enableNetwork { done($0) } }
        #expect(off == nil && on == nil)
        let waited: (any Error)? = await completion { done in db.waitForPendingWrites { done($0) } }
        #expect(waited == nil)
        let cleared: (any Error)? = await completion { done in db.clearPersistence { done($0) } }
        #expect(isFailure(cleared, .failedPrecondition))
        let ended: (any Error)? = await completion { done in db.terminate { done($0) } }
        #expect(ended == nil)
        try await db.terminate()
        #expect(isFailure(await failure { try await db.enableNetwork() }, .failedPrecondition))
        #expect(isFailure(await failure { try await db.disableNetwork() }, .failedPrecondition))
        #expect(isFailure(await failure { try await db.waitForPendingWrites() }, .failedPrecondition))
        try await db.clearPersistence()
    }

    // MARK: Reads and their sources (4.1, 5.1, 7.5)

    @Test(arguments: Mode.can(.oneAuthority) ? [FirestoreSource.default, .server, .cache] : [.default, .server])
    func `every source gives the same, in both forms`(source: FirestoreSource) async throws {
        let document = db.document("cities/SF")
        try await document.setData(["n": 1])
        #expect(try await document.getDocument(source: source).get("n") as? Int == 1)
        #expect(try await document.parent.getDocuments(source: source).count == 1)
        #expect(try await !db.document("cities/none").getDocument(source: source).exists)
        #expect(try await db.collection("nothing").getDocuments(source: source).isEmpty)
        let one: DocumentSnapshot? = await completion { done in document.getDocument(source: source) { snapshot, _ in done(snapshot) } }
        let all: QuerySnapshot? = await completion { done in document.parent.getDocuments(source: source) { snapshot, _ in done(snapshot) } }
        #expect(one?.exists == true && all?.count == 1)
        #expect(one?.metadata.isFromCache == false && one?.metadata.hasPendingWrites == false)
    }

    @Test func `server timestamps are known immediately, whatever the requested behaviour`() async throws {
        let document = db.document("cities/SF")
        try await document.setData(["at": FieldValue.serverTimestamp()])
        let snapshot = try await document.getDocument()
        for behaviour in [ServerTimestampBehavior.none, .estimate, .previous] {
            #expect(snapshot.data(with: behaviour)?["at"] is Timestamp)
            #expect(snapshot.get("at", serverTimestampBehavior: behaviour) is Timestamp)
        }
    }

    @Test func `changes with and without metadata are the same`() async throws {
        try await db.document("cities/a").setData(["n": 1])
        let snapshot = try await db.collection("cities").getDocuments()
        #expect(snapshot.documentChanges(includeMetadataChanges: true) == snapshot.documentChanges)
        #expect(snapshot.documentChanges(includeMetadataChanges: false).map(\.newIndex) == [0])
        #expect(snapshot.documentChanges.first?.oldIndex == UInt(NSNotFound))
    }

    // MARK: Field values (6.1, 6.3)

    @Test func `minimum and maximum store the smaller and the larger number`() async throws {
        let document = db.document("a/b")
        try await document.setData(["i": 5, "d": 2.5, "s": "text"])
        try await document.updateData([
            "i": FieldValue.minimum(Int64(3)), "d": FieldValue.maximum(7.5), "s": FieldValue.maximum(Int64(1)), "new": FieldValue.minimum(1.5),
        ])
        let snapshot = try await document.getDocument()
        #expect(snapshot.get("i") as? Int == 3 && snapshot.get("d") as? Double == 7.5)
        #expect(snapshot.get("s") as? Int == 1 && snapshot.get("new") as? Double == 1.5)
        try await document.updateData(["i": FieldValue.maximum(Int64(1)), "d": FieldValue.minimum(100.0)])
        #expect(try await document.getDocument().get("i") as? Int == 3)
    }

    @Test func `vectors are made of doubles and floats`() async throws {
        let vector = FieldValue.vector([1.0, 2.5] as [Double])
        #expect(vector == FieldValue.vector([1.0, 2.5] as [Float]) && vector == VectorValue([1, 2.5]) && vector.array == [1, 2.5])
        try await db.document("a/b").setData(["v": vector])
        #expect(try await db.document("a/b").getDocument().get("v") as? VectorValue == vector)
        #expect(try JSONDecoder().decode(VectorValue.self, from: Data(#"{"array":[1,2.5]}"#.utf8)) == vector)
    }

    // MARK: Merging listed fields in batches and transactions (8)

    struct Pair: Codable, Equatable {
        var a: Int
        var b: Int
    }

    @Test func `batches and transactions write listed fields, from dictionaries and values`() async throws {
        let document = db.document("pairs/one")
        try await document.setData(["a": 1, "b": 1])
        let batch = db.batch()
        batch.setData(["a": 2, "b": 2], forDocument: document, mergeFields: ["a"])
        try batch.setData(from: Pair(a: 3, b: 3), forDocument: document, mergeFields: [FieldPath(["b"])])
        try await batch.commit()
        #expect(try await document.getDocument(as: Pair.self) == Pair(a: 2, b: 3))
        _ = try await db.runTransaction { transaction, pointer in
            do {
                transaction.setData(["a": 4, "b": 4], forDocument: document, mergeFields: ["a"])
                try transaction.setData(from: Pair(a: 5, b: 5), forDocument: document, mergeFields: ["b"])
            } catch {
                pointer?.pointee = error as NSError
            }
            return nil
        }
        #expect(try await document.getDocument(as: Pair.self) == Pair(a: 4, b: 5))
        try await document.setData(["a": 9], mergeFields: [])
        #expect(try await document.getDocument(as: Pair.self) == Pair(a: 4, b: 5))
        let fresh = db.document("pairs/two")
        try await fresh.setData(["a": 9], mergeFields: [])
        #expect(try await fresh.getDocument().data()?.isEmpty == true)
    }

    @Test func `a transaction takes options`() async throws {
        let options = TransactionOptions()
        #expect(options.maxAttempts == 5)
        options.maxAttempts = 2
        #expect((options.copy() as? TransactionOptions) == options)
        let document = db.document("a/b")
        for options in [options, nil] {
            let result: Int? = await completion { done in
                db.runTransaction(
                    with: options,
                    block: { transaction, _ in
                        transaction.setData(["n": 1], forDocument: document)
                        return 7
                    }, completion: { value, error in done(error == nil ? value as? Int : nil) })
            }
            #expect(result == 7)
        }
    }

    // MARK: Filters (5.2)

    @Test func `every filter finds what its query method finds`() async throws {
        let cities = db.collection("cities")
        for n in 1...4 { try await cities.document("\(n)").setData(["n": n, "tags": ["t\(n)", "all"]]) }
        let path = FieldPath(["n"])
        let tags = FieldPath(["tags"])
        let rows: [([Filter], [String])] = [
            ([.whereField("n", isEqualTo: 2), .whereField(path, isEqualTo: 2)], ["2"]),
            ([.whereField("n", isNotEqualTo: 2), .whereField(path, isNotEqualTo: 2)], ["1", "3", "4"]),
            ([.whereField("n", isGreaterThan: 2), .whereField(path, isGreaterThan: 2)], ["3", "4"]),
            ([.whereField("n", isGreaterOrEqualTo: 2), .whereField(path, isGreaterOrEqualTo: 2)], ["2", "3", "4"]),
            ([.whereField("n", isLessThan: 2), .whereField(path, isLessThan: 2)], ["1"]),
            ([.whereField("n", isLessThanOrEqualTo: 2), .whereField(path, isLessThanOrEqualTo: 2)], ["1", "2"]),
            ([.whereField("tags", arrayContains: "t3"), .whereField(tags, arrayContains: "t3")], ["3"]),
            ([.whereField("tags", arrayContainsAny: ["t3", "t1"]), .whereField(tags, arrayContainsAny: ["t3", "t1"])], ["1", "3"]),
            ([.whereField("n", in: [1, 4]), .whereField(path, in: [1, 4])], ["1", "4"]),
            ([.whereField("n", notIn: [1, 4]), .whereField(path, notIn: [1, 4])], ["2", "3"]),
            ([.orFilter([.whereField("n", isEqualTo: 1), .whereField("n", isEqualTo: 4)])], ["1", "4"]),
            ([.andFilter([.whereField("n", isGreaterThan: 1), .whereField("n", isLessThan: 4)])], ["2", "3"]),
            ([.andFilter([]), .orFilter([]), .andFilter([.orFilter([])])], ["1", "2", "3", "4"]),
        ]
        for (filters, expected) in rows {
            for filter in filters {
                let query = cities.whereFilter(filter)
                #expect(try await query.getDocuments().documents.map(\.documentID) == expected, "\(query)")
            }
        }
        #expect(isFailure(await failure { try await cities.whereFilter(.whereField("a..b", isEqualTo: 1)).getDocuments() }, .invalidArgument))
    }

    // MARK: Errors (11)

    @Test func `every code has its name, number and case`() {
        let codes: [(FirestoreErrorCode.Code, Int)] = [
            (FirestoreErrorCode.OK, 0), (FirestoreErrorCode.cancelled, 1), (FirestoreErrorCode.unknown, 2), (FirestoreErrorCode.invalidArgument, 3),
            (FirestoreErrorCode.deadlineExceeded, 4), (FirestoreErrorCode.notFound, 5), (FirestoreErrorCode.alreadyExists, 6),
            (FirestoreErrorCode.permissionDenied, 7), (FirestoreErrorCode.resourceExhausted, 8), (FirestoreErrorCode.failedPrecondition, 9),
            (FirestoreErrorCode.aborted, 10), (FirestoreErrorCode.outOfRange, 11), (FirestoreErrorCode.unimplemented, 12), (FirestoreErrorCode.internal, 13),
            (FirestoreErrorCode.unavailable, 14), (FirestoreErrorCode.dataLoss, 15), (FirestoreErrorCode.unauthenticated, 16),
        ]
        for (code, number) in codes {
            #expect(code.rawValue == number && FirestoreErrorCode.Code(rawValue: number) == code)
            let error = FirestoreErrorCode(code, userInfo: [NSLocalizedDescriptionKey: "words"])
            #expect((error as NSError).code == number && (error as NSError).domain == FirestoreErrorDomain && error.localizedDescription == "words")
        }
        #expect(FirestoreErrorDomain == "FIRFirestoreErrorDomain")
    }
}
