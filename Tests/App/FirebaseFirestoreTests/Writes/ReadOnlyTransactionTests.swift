// SPDX-License-Identifier: Apache-2.0
import FirebaseFirestore
import Foundation
import ModeSupport
import Testing

/// Hearth's extras: queries in transactions, read-only transactions, reads of the past.
@Suite struct ReadOnlyTransactionTests {
    let db = Scratch.firestore()
    var cities: CollectionReference { db.collection("cities") }

    private func readOnly(at time: Timestamp? = nil) -> TransactionOptions {
        let options = TransactionOptions()
        options.isReadOnly = true
        options.readTime = time
        return options
    }

    /// A moment that is over: the update time is the microsecond of the last commit.
    private func now(after reference: DocumentReference) async throws -> Timestamp {
        // Later commits have later times.
        let micros = Int64(Date().timeIntervalSince1970 * 1_000_000)
        _ = try await reference.getDocument()
        return Timestamp(seconds: micros / 1_000_000, nanoseconds: Int32(micros % 1_000_000) * 1_000)
    }

    @Test func `a query in a transaction shows the moment of its first read`() async throws {
        try await cities.document("SF").setData(["n": 1])
        let outside = cities.document("LA")
        let counts = try await db.runTransaction(with: readOnly()) { transaction, errorPointer in
            do {
                let before = try transaction.getDocuments(cities).count
                outside.setData(["n": 2])
                let after = try transaction.getDocuments(cities).count
                let document = try transaction.getDocument(outside)
                return [before, after, document.exists ? 1 : 0]
            } catch {
                errorPointer?.pointee = error as NSError
                return nil
            }
        } as? [Int]
        #expect(counts == [1, 1, 0])
        #expect(try await cities.getDocuments().count == 2)
    }

    @Test func `a read-only transaction rejects writes, whatever it wrote`() async throws {
        let error = await failure {
            try await db.runTransaction(with: readOnly()) { transaction, _ in
                transaction.setData([:], forDocument: cities.document("SF"))
                return nil
            }
        }
        #expect(isFailure(error, .invalidArgument, naming: "cities/SF"))
        #expect(try await cities.getDocuments().isEmpty)
    }

    @Test func `documents, queries and transactions see an earlier moment`() async throws {
        let city = cities.document("SF")
        try await city.setData(["n": 1])
        let early = try await now(after: city)
        try await Task.sleep(for: .milliseconds(2))
        try await city.setData(["n": 2])
        try await cities.document("LA").setData(["n": 3])
        #expect(try await city.getDocument(at: early)["n"] as? Int == 1)
        #expect(try await cities.document("LA").getDocument(at: early).exists == false)
        #expect(try await cities.getDocuments(at: early).documents.map { $0["n"] as? Int } == [1])
        #expect(try await cities.order(by: "n").limit(toLast: 1).getDocuments(at: early).documents.map { $0["n"] as? Int } == [1])
        let inside = try await db.runTransaction(with: readOnly(at: early)) { transaction, _ in
            try? transaction.getDocuments(cities).count
        } as? Int
        #expect(inside == 1)
    }

    /// Dates and timestamps of now are finer than a microsecond.
    @Test func `a hundred natural moments show the state of their microsecond, in every way to read`() async throws {
        let city = cities.document("SF")
        for number in 0..<100 {
            try await city.setData(["n": number])
            let moment = number.isMultiple(of: 2) ? Timestamp() : Timestamp(date: Date())
            #expect(try await city.getDocument(at: moment)["n"] as? Int == number)
            #expect(try await cities.getDocuments(at: moment).documents.map { $0["n"] as? Int } == [number])
            #expect(try await db.pipeline().collection("cities").execute(at: moment).results.map { $0.get("n") as? Int } == [number])
            let inside = try await db.runTransaction(with: readOnly(at: moment)) { transaction, _ in
                (try? transaction.getDocument(city))?["n"] as? Int
            } as? Int
            #expect(inside == number)
        }
    }

    @Test func `the time of a commit or of a result, also as a date, is a moment that shows it`() async throws {
        let city = cities.document("SF")
        for number in 0..<50 {
            try await city.setData(["n": number])
            let snapshot = try await db.pipeline().collection("cities").execute()
            let updated = try #require(snapshot.results.first?.updateTime)
            let dates = [updated.dateValue(), snapshot.executionTime.dateValue()]
            let moments = [snapshot.executionTime, updated] + dates.map { Timestamp(date: $0) }
            try await city.setData(["n": -1])
            for moment in moments { #expect(try await city.getDocument(at: moment)["n"] as? Int == number) }
        }
    }

    @Test func `a moment that cannot be read is rejected`() async throws {
        let future = Timestamp(seconds: Timestamp().seconds + 3_600, nanoseconds: 0)
        let invalid = Timestamp(seconds: Timestamp().seconds - 1, nanoseconds: -1)
        for time in [future, invalid] { await refuses(time, .invalidArgument) }
        let writing = TransactionOptions()
        writing.readTime = Timestamp(seconds: Timestamp().seconds - 1, nanoseconds: 0)
        #expect(isFailure(await failure { try await db.runTransaction(with: writing) { _, _ in nil } }, .invalidArgument))
    }

    @Test(.only(.pastWindow)) func `a moment of more than an hour ago cannot be read any more`() async {
        await refuses(Timestamp(seconds: Timestamp().seconds - 7_200, nanoseconds: 0), .failedPrecondition)
    }

    private func refuses(_ time: Timestamp, _ code: FirestoreErrorCode.Code) async {
        #expect(isFailure(await failure { try await cities.getDocuments(at: time) }, code))
        #expect(isFailure(await failure { try await cities.document("SF").getDocument(at: time) }, code))
        let transaction = await failure {
            try await db.runTransaction(with: readOnly(at: time)) { transaction, errorPointer in
                do { _ = try transaction.getDocuments(cities) } catch { errorPointer?.pointee = error as NSError }
                return nil
            }
        }
        #expect(isFailure(transaction, code))
    }

    @Test func `options copy and compare with all they hold`() {
        let options = readOnly(at: Timestamp(seconds: 7, nanoseconds: 0))
        let copy = options.copy() as? TransactionOptions
        #expect(copy == options && copy?.hash == options.hash)
        copy?.readTime = nil
        #expect(copy != options)
        #expect(TransactionOptions() != readOnly())
    }
}
