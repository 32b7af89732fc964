// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// A way in which the public API lets an error out: thrown, handed to a callback, or put into a result.
struct ErrorWay: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// What the error is as an `NSError`.
    let domain: String
    let code: Int
    /// Provokes it.
    let error: @Sendable (Firestore) async throws -> (any Error)?

    /// An error of Firestore.
    init(_ name: String, _ code: FirestoreErrorCode.Code, _ error: @escaping @Sendable (Firestore) async throws -> (any Error)?) {
        self.init(name, FirestoreErrorDomain, code.rawValue, error)
    }

    init(_ name: String, _ domain: String, _ code: Int, _ error: @escaping @Sendable (Firestore) async throws -> (any Error)?) {
        (testDescription, self.domain, self.code, self.error) = (name, domain, code, error)
    }

    static let all = reads + listeners + writes + transactions + lifecycle + decoding + encoding

    struct Book: Codable {
        var title: String
    }

    /// A field that no document here has.
    struct Counted: Codable {
        var count: Int
    }

    /// Cannot be stored.
    struct Large: Codable {
        var number = UInt64.max
    }

    private static func bad(_ db: Firestore) -> DocumentReference { db.document("odd") }
    private static func badQuery(_ db: Firestore) -> Query { db.collection("c").limit(to: 0) }

    /// A document whose title is a number.
    private static func mistyped(_ db: Firestore) async throws -> DocumentReference {
        let document = db.document("books/mistyped")
        try await document.setData(["title": 1])
        return document
    }

    static let reads = [
        ErrorWay("getDocument()", .invalidArgument) { db in await failure { try await bad(db).getDocument() } },
        ErrorWay("getDocument(source:)", .invalidArgument) { db in await failure { try await bad(db).getDocument(source: .cache) } },
        ErrorWay("getDocument(completion:)", .invalidArgument) { db in await completion { done in bad(db).getDocument { _, error in done(error) } } },
        ErrorWay("getDocument(at:)", .invalidArgument) { db in await failure { try await bad(db).getDocument(at: Timestamp()) } },
        ErrorWay("getDocument(as:) of a bad path", .invalidArgument) { db in await failure { try await bad(db).getDocument(as: Book.self) } },
        ErrorWay("getDocument(as:completion:) of a bad path", .invalidArgument) { db in
            let result: Result<Book, any Error> = await completion { bad(db).getDocument(as: Book.self, completion: $0) }
            return await failure { try result.get() }
        },
        ErrorWay("getDocuments()", .invalidArgument) { db in await failure { try await badQuery(db).getDocuments() } },
        ErrorWay("getDocuments(completion:)", .invalidArgument) { db in await completion { done in badQuery(db).getDocuments { _, error in done(error) } } },
        ErrorWay("getDocuments(at:)", .invalidArgument) { db in await failure { try await badQuery(db).getDocuments(at: Timestamp()) } },
        ErrorWay("explain()", .invalidArgument) { db in await failure { try await badQuery(db).explain() } },
        ErrorWay("getAggregation", .invalidArgument) { db in await failure { try await badQuery(db).count.getAggregation(source: .server) } },
        ErrorWay("getAggregation(completion:)", .invalidArgument) { db in
            await completion { done in badQuery(db).count.getAggregation(source: .server) { _, error in done(error) } }
        },
        ErrorWay("findNearest", .invalidArgument) { db in await failure { try await nearest(db).getDocuments() } },
        ErrorWay("findNearest(completion:)", .invalidArgument) { db in await completion { done in nearest(db).getDocuments { _, error in done(error) } } },
    ]

    private static func nearest(_ db: Firestore) -> VectorQuery {
        db.collection("c").findNearest(vectorField: "v", queryVector: VectorValue([1]), limit: 0, distanceMeasure: .cosine)
    }

    static let listeners = [
        ErrorWay("a listener of a document", .invalidArgument) { db in
            await completion { done in bad(db).addSnapshotListener { _, error in done(error) } }
        },
        ErrorWay("a listener of a query", .invalidArgument) { db in
            await completion { done in badQuery(db).addSnapshotListener { _, error in done(error) } }
        },
        ErrorWay("snapshots of a document", .invalidArgument) { db in await failure { for try await _ in bad(db).snapshots {} } },
        ErrorWay("snapshots of a query", .invalidArgument) { db in await failure { for try await _ in badQuery(db).snapshots {} } },
        ErrorWay("snapshots(as:)", .invalidArgument) { db in await failure { for try await _ in badQuery(db).snapshots(as: Book.self) {} } },
        ErrorWay("@FirestoreQuery", .invalidArgument) { db in
            await MainActor.run { LiveBooks(db) }.error()
        },
    ]

    static let writes = [
        ErrorWay("setData", .invalidArgument) { db in await failure { try await bad(db).setData([:]) } },
        ErrorWay("setData(completion:)", .invalidArgument) { db in await told { bad(db).setData([:], completion: $0) } },
        ErrorWay("setData(merge:)", .invalidArgument) { db in await failure { try await bad(db).setData([:], merge: true) } },
        ErrorWay("setData(mergeFields:)", .invalidArgument) { db in await failure { try await db.document("c/d").setData([:], mergeFields: ["a"]) } },
        ErrorWay("setData of what cannot be stored", .invalidArgument) { db in await failure { try await db.document("c/d").setData(["a": [[1]]]) } },
        ErrorWay("updateData", .notFound) { db in await failure { try await db.document("c/missing").updateData(["a": 1]) } },
        ErrorWay("updateData(completion:)", .notFound) { db in await told { db.document("c/missing").updateData(["a": 1], completion: $0) } },
        ErrorWay("delete", .invalidArgument) { db in await failure { try await bad(db).delete() } },
        ErrorWay("delete(completion:)", .invalidArgument) { db in await told { bad(db).delete(completion: $0) } },
        ErrorWay("addDocument", .invalidArgument) { db in await failure { try await db.collection("a/b").addDocument(data: [:]) } },
        ErrorWay("addDocument(completion:)", .invalidArgument) { db in await told { db.collection("a/b").addDocument(data: [:], completion: $0) } },
        ErrorWay("a receipt's saved", .invalidArgument) { db in
            await failure { try await bad(db).updateData(from: ["a": 1]).saved }
        },
        ErrorWay("a receipt's acknowledged", .notFound) { db in
            await failure { try await db.document("c/missing").updateData(from: ["a": 1]).acknowledged }
        },
        ErrorWay("setData(from:completion:)", .invalidArgument) { db in await told { try bad(db).setData(from: ["a": 1], completion: $0) } },
        ErrorWay("addDocument(from:) and its receipt", .invalidArgument) { db in
            let (_, receipt) = try db.collection("a/b").addDocument(from: ["a": 1])
            return await failure { try await receipt.acknowledged }
        },
        ErrorWay("a batch", .invalidArgument) { db in await failure { try await db.batch().setData([:], forDocument: bad(db)).commit() } },
        ErrorWay("a batch (completion:)", .invalidArgument) { db in await told { db.batch().setData([:], forDocument: bad(db)).commit(completion: $0) } },
    ]

    /// The snippet of Firebase's documentation.
    @Sendable private static func snippet(_ reference: DocumentReference) -> (Transaction, NSErrorPointer) -> Any? {
        { transaction, errorPointer in
            let document: DocumentSnapshot
            do {
                try document = transaction.getDocument(reference)
            } catch let fetchError as NSError {
                errorPointer?.pointee = fetchError
                return nil
            }
            return document.data()?.count
        }
    }

    static let transactions = [
        ErrorWay("a transaction's read, in the block", .invalidArgument) { db in
            let told = Collector<any Error>()
            try await db.runTransaction { transaction, _ in
                do { _ = try transaction.getDocument(bad(db)) } catch { told.append(error) }
                return nil
            }
            return told.elements.first
        },
        ErrorWay("a transaction's query, in the block", .invalidArgument) { db in
            let told = Collector<any Error>()
            try await db.runTransaction { transaction, _ in
                do { _ = try transaction.getDocuments(badQuery(db)) } catch { told.append(error) }
                return nil
            }
            return told.elements.first
        },
        ErrorWay("the documentation's transaction", .invalidArgument) { db in
            await failure { try await db.runTransaction { transaction, pointer in snippet(bad(db))(transaction, pointer) as? Int } }
        },
        ErrorWay("the documentation's transaction (completion:)", .invalidArgument) { db in
            await completion { done in db.runTransaction(snippet(bad(db))) { _, error in done(error) } }
        },
        ErrorWay("a transaction's write", .invalidArgument) { db in
            await failure { try await db.runTransaction { transaction, _ in transaction.setData([:], forDocument: bad(db)).hash } }
        },
        ErrorWay("an NSError of an app's own from the block", "shop", 7) { db in
            await failure {
                try await db.runTransaction { _, errorPointer in
                    errorPointer?.pointee = NSError(domain: "shop", code: 7, userInfo: [NSLocalizedDescriptionKey: "sold out"])
                    return nil
                }
            }
        },
        ErrorWay("a transaction with bad options", .invalidArgument) { db in
            let options = TransactionOptions()
            options.maxAttempts = 1
            return await failure { try await db.runTransaction(with: options) { transaction, _ in transaction.deleteDocument(bad(db)).hash } }
        },
    ]

    static let lifecycle = [
        ErrorWay("a read after terminate", .failedPrecondition) { db in
            try await db.terminate()
            return await failure { try await db.document("c/d").getDocument() }
        },
        ErrorWay("waitForPendingWrites after terminate", .failedPrecondition) { db in
            try await db.terminate()
            return await failure { try await db.waitForPendingWrites() }
        },
        ErrorWay("enableNetwork(completion:) after terminate", .failedPrecondition) { db in
            try await db.terminate()
            return await told { db.enableNetwork(completion: $0) }
        },
        ErrorWay("clearPersistence", .failedPrecondition) { db in
            try await db.document("c/d").setData([:])
            return await failure { try await db.clearPersistence() }
        },
        ErrorWay("clearPersistence(completion:)", .failedPrecondition) { db in
            try await db.document("c/d").setData([:])
            return await told { db.clearPersistence(completion: $0) }
        },
        ErrorWay("setIndexConfiguration after terminate", .failedPrecondition) { db in
            try await db.terminate()
            return await failure { try await db.setIndexConfiguration(#"{"indexes":[]}"#) }
        },
        ErrorWay("setIndexConfiguration(completion:) after terminate", .failedPrecondition) { db in
            try await db.terminate()
            return await told { db.setIndexConfiguration(#"{"indexes":[]}"#, completion: $0) }
        },
        ErrorWay("indexConfiguration after terminate", .failedPrecondition) { db in
            try await db.terminate()
            return await failure { try await db.indexConfiguration() }
        },
        ErrorWay("waitForIndexes after terminate", .failedPrecondition) { db in
            try await db.terminate()
            return await failure { try await db.waitForIndexes() }
        },
        ErrorWay("loadBundle", .unknown) { db in await failure { try await db.loadBundle(Data("?".utf8)) } },
        ErrorWay("loadBundle(completion:)", .unknown) { db in
            await completion { done in db.loadBundle(Data("?".utf8)) { _, error in done(error) } }
        },
    ]

    static let decoding = [
        ErrorWay("data(as:), a wrong type", NSCocoaErrorDomain, 4864) { db in
            let snapshot = try await mistyped(db).getDocument()
            return await failure { try snapshot.data(as: Book.self) }
        },
        ErrorWay("data(as:), a missing field", NSCocoaErrorDomain, 4865) { db in
            let snapshot = try await mistyped(db).getDocument()
            return await failure { try snapshot.data(as: Counted.self) }
        },
        ErrorWay("getDocument(as:), a missing document", NSCocoaErrorDomain, 4865) { db in
            await failure { try await db.document("books/missing").getDocument(as: Book.self) }
        },
        ErrorWay("getDocument(as:completion:), a missing document", NSCocoaErrorDomain, 4865) { db in
            let result: Result<Book, any Error> = await completion { db.document("books/missing").getDocument(as: Book.self, completion: $0) }
            return await failure { try result.get() }
        },
        ErrorWay("documents(as:)", NSCocoaErrorDomain, 4864) { db in
            let snapshot = try await mistyped(db).parent.getDocuments()
            return snapshot.documents(as: Book.self).failures.first?.error
        },
        ErrorWay("Firestore.Decoder", NSCocoaErrorDomain, 4864) { _ in await failure { try Firestore.Decoder().decode(Book.self, from: ["title": 1]) } },
        ErrorWay("a DecodingError from a transaction's block", NSCocoaErrorDomain, 4864) { db in
            let document = try await mistyped(db)
            return await failure {
                try await db.runTransaction { transaction, errorPointer in
                    do {
                        return try transaction.getDocument(document).data(as: Book.self).title
                    } catch let error as NSError {
                        errorPointer?.pointee = error
                        return nil
                    }
                }
            }
        },
        ErrorWay("a reference in another decoder", "FirebaseFirestore.FirestoreDecodingError", 0) { _ in
            await failure { try JSONDecoder().decode([DocumentReference].self, from: Data("[1]".utf8)) }
        },
    ]

    static let encoding = [
        ErrorWay("setData(from:)", NSCocoaErrorDomain, 4866) { db in await failure { try db.document("c/d").setData(from: Large()) } },
        ErrorWay("setData(from:merge:)", NSCocoaErrorDomain, 4866) { db in await failure { try db.document("c/d").setData(from: Large(), merge: true) } },
        ErrorWay("updateData(from:)", NSCocoaErrorDomain, 4866) { db in await failure { try db.document("c/d").updateData(from: Large()) } },
        ErrorWay("addDocument(from:)", NSCocoaErrorDomain, 4866) { db in await failure { try db.collection("c").addDocument(from: Large()) } },
        ErrorWay("a batch's setData(from:)", NSCocoaErrorDomain, 4866) { db in
            await failure { try db.batch().setData(from: Large(), forDocument: db.document("c/d")) }
        },
        ErrorWay("Firestore.Encoder", NSCocoaErrorDomain, 4866) { _ in await failure { try Firestore.Encoder().encode(Large()) } },
        ErrorWay("a FieldValue in another encoder", "FirebaseFirestore.FirestoreEncodingError", 0) { _ in
            await failure { try JSONEncoder().encode([FieldValue.delete()]) }
        },
    ]

    /// A view model whose query cannot be asked.
    @MainActor private final class LiveBooks {
        @FirestoreQuery<[Book]> var books: [Book]

        init(_ db: Firestore) { _books = FirestoreQuery(collectionPath: "a/b", in: db) }

        func error() async -> (any Error)? {
            _ = books
            await until { self.$books.error != nil }
            return $books.error
        }
    }
}
