// SPDX-License-Identifier: Apache-2.0
import EngineStores
import FirestoreCore
import TestSupport
import Testing

/// What every `DocumentService` does with commits.
@Suite struct CommitContractTests {
    @Test("commits are applied in the order of the calls, and reads after a call see it", arguments: ServiceMode.allCases)
    func order(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let times = Mutex<[DocumentVersion]>([])
            for number in 0..<50 {
                service.submit([.set("c/\(number % 3)", ("n", .integer(Int64(number))))], context: .embedded) { result in
                    if let time = try? result.get().commitTime { times.withLock { $0.append(time) } }
                }
            }
            // Submitted, perhaps not acknowledged.
            #expect(try await service.get("c/1")?.text("n") == text(.integer(49)))
            #expect(try await service.paths(.collection("c")) == ["c/0", "c/1", "c/2"])
            #expect(try await service.get("c/0")?.text("n") == text(.integer(48)))
            try await service.commit()
            let found = times.withLock { $0 }
            #expect(found.count == 50 && found == found.sorted() && Set(found).count == 50)
        }
    }

    private struct Refusal: CommitCondition {
        var weight: Int { 64 }
        func check(_ commit: any CommitState) throws(FirestoreError) { throw FirestoreError(.permissionDenied, "no") }
    }

    @Test("a condition is asked, or the commit is rejected: it is never passed over", arguments: ServiceMode.allCases)
    func conditions(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let result = await withCheckedContinuation { continuation in
                service.submit([.set("c/a")], options: CommitOptions(conditions: [Refusal()]), context: .embedded) {
                    continuation.resume(returning: $0)
                }
            }
            guard case .failure(let error) = result else {
                Issue.record("the commit was applied")
                return
            }
            #expect(error.code == (mode == .embedded ? .permissionDenied : .unimplemented))
            let document = try await service.get("c/a")
            #expect(document == nil)
        }
    }

    @Test("a service declares its capabilities", arguments: ServiceMode.allCases)
    func capabilities(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            #expect(service.isShared == (mode != .embedded || EngineStores.isPostgres))
            #expect((service.indexAdministration != nil) == (mode == .embedded) && (service.facts != nil) == (mode == .embedded))
            let session = try service.session()
            #expect(session.isShared == service.isShared && (session.facts != nil) == (service.facts != nil))
            await session.shutdown()
        }
    }

    @Test("a commit is applied whole or not at all, and commits beside it are applied", arguments: ServiceMode.allCases)
    func atomicity(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            service.submit([.set("c/first")], context: .embedded) { _ in }
            await expectError(.notFound) { try await service.commit(.set("c/a"), .patch("c/none", "n", .null, precondition: .exists(true)), .set("c/b")) }
            try await service.commit(.set("c/last"))
            #expect(try await service.paths(.collection("c")) == ["c/first", "c/last"])
        }
    }

    @Test("of many commits without a waiting caller exactly those fail that must, and the others are applied once, in order", arguments: ServiceMode.allCases)
    func manyUnawaited(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let told = Mutex<[ToldCommit]>([])
            for number in 0..<500 {
                var writes: [Write] = [
                    .transform("sum/a", "n", .increment(.integer(1))), .set("c/\(number)", precondition: .exists(false)),
                    .set("last/a", ("n", .integer(Int64(number)))),
                ]
                if ToldCommit.mustFail(number) { writes.append(.set("none/a", precondition: .exists(true))) }
                service.submit(writes, context: .embedded) { result in
                    told.withLock { $0.append(ToldCommit(number, result)) }
                }
            }
            let last = try await service.get("last/a")
            #expect(last?.text("n") == text(.integer(499)))
            let outcomes = told.withLock { $0 }
            #expect(outcomes.map(\.number) == Array(0..<500))
            #expect(outcomes.filter { $0.code == .notFound }.map(\.number) == (0..<500).filter(ToldCommit.mustFail))
            #expect(outcomes.filter { $0.code == .ok }.count == 450)
            #expect(try await service.get("sum/a")?.text("n") == text(.integer(450)))
            #expect(try await service.paths(.collection("c")).count == 450)
        }
    }

    struct ToldCommit: Sendable {
        let number: Int
        let code: FirestoreError.Code

        init(_ number: Int, _ result: Result<CommitResponse, FirestoreError>) {
            self.number = number
            switch result {
            case .success: code = .ok
            case .failure(let error): code = error.code
            }
        }

        static func mustFail(_ number: Int) -> Bool { number % 10 == 4 }
    }

    struct PreconditionRow: Sendable, CustomTestStringConvertible {
        let name: String
        let write: Write
        /// `ok` for none.
        let code: FirestoreError.Code
        var testDescription: String { name }
    }

    /// `c/old` exists, `c/new` does not.
    static let preconditionRows: [PreconditionRow] = [
        PreconditionRow(name: "set what may exist", write: .set("c/old"), code: .ok),
        PreconditionRow(name: "set what must exist", write: .set("c/old", precondition: .exists(true)), code: .ok),
        PreconditionRow(name: "set what must exist and does not", write: .set("c/new", precondition: .exists(true)), code: .notFound),
        PreconditionRow(name: "create", write: .set("c/new", precondition: .exists(false)), code: .ok),
        PreconditionRow(name: "create what exists", write: .set("c/old", precondition: .exists(false)), code: .alreadyExists),
        PreconditionRow(name: "patch what must exist and does not", write: .patch("c/new", "a", .null, precondition: .exists(true)), code: .notFound),
        PreconditionRow(name: "delete what does not exist", write: .delete("c/new"), code: .ok),
        PreconditionRow(name: "delete what must exist and does not", write: .delete("c/new", precondition: .exists(true)), code: .notFound),
        PreconditionRow(name: "verify what exists", write: .verify("c/old", .exists(true)), code: .ok),
        PreconditionRow(
            name: "another update time", write: .set("c/old", precondition: .updateTime(DocumentVersion(microseconds: 1_000))),
            code: .failedPrecondition),
    ]

    @Test("preconditions decide", arguments: ServiceMode.allCases, preconditionRows)
    func preconditions(mode: ServiceMode, row: PreconditionRow) async throws {
        try await ServiceFixture.with(mode) { service in
            try await service.commit(.set("c/old", ("n", .integer(1))))
            if row.code == .ok {
                try await service.commit(row.write)
            } else {
                await expectError(row.code) { try await service.commit(row.write) }
                #expect(try await service.get("c/new") == nil)
                #expect(try await service.get("c/old")?.text("n") == text(.integer(1)))
            }
        }
    }

    @Test("an update time that is still the document's lets a write pass, once", arguments: ServiceMode.allCases)
    func updateTime(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let time = try await service.commit(.set("c/a", ("n", .integer(1)))).commitTime
            #expect(try await service.get("c/a")?.updateTime == time)
            try await service.commit(.set("c/a", ("n", .integer(2)), precondition: .updateTime(time)))
            await expectError(.failedPrecondition) {
                try await service.commit(.set("c/a", ("n", .integer(3)), precondition: .updateTime(time)))
            }
        }
    }

    struct TransformRow: Sendable, CustomTestStringConvertible {
        let kind: FieldTransform.Kind
        let result: Value
        var testDescription: String { "\(kind)" }
    }

    /// Of a field that is the array 1, 2; or, for numbers, of one that is 5.
    static let transformRows: [TransformRow] = [
        TransformRow(kind: .increment(.integer(3)), result: .integer(8)), TransformRow(kind: .increment(.double(0.5)), result: .double(5.5)),
        TransformRow(kind: .maximum(.integer(7)), result: .integer(7)), TransformRow(kind: .minimum(.integer(7)), result: .integer(5)),
        TransformRow(kind: .appendMissingElements([.integer(2), .integer(3)]), result: .array([.integer(1), .integer(2), .integer(3)])),
        TransformRow(kind: .removeAllFromArray([.integer(1)]), result: .array([.integer(2)])),
    ]

    @Test("transforms are applied to the stored document", arguments: ServiceMode.allCases, transformRows)
    func transforms(mode: ServiceMode, row: TransformRow) async throws {
        try await ServiceFixture.with(mode) { service in
            let isArray = if case .array = row.result { true } else { false }
            try await service.commit(.set("c/a", ("v", isArray ? .array([.integer(1), .integer(2)]) : .integer(5)), ("w", .string("kept"))))
            let response = try await service.commit(.transform("c/a", "v", row.kind))
            let document = try #require(try await service.get("c/a"))
            #expect(document.text("v") == text(row.result) && document.text("w") == text(.string("kept")))
            #expect(response.results.count == 1 && response.results[0].updateTime == document.updateTime)
            if !isArray { #expect(response.results[0].transformResults.map(text) == [text(row.result)]) }
        }
    }

    @Test("the time of the server is one for the whole commit", arguments: ServiceMode.allCases)
    func serverTimestamp(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let response = try await service.commit(.transform("c/a", "t", .serverTimestamp), .transform("c/b", "t", .serverTimestamp))
            let times = response.results.flatMap(\.transformResults).map(text)
            #expect(times.count == 2 && times[0] == times[1])
            #expect(try await service.get("c/a")?.text("t") == times[0])
        }
    }

    @Test("an empty commit succeeds (WR-19), and a malformed one is rejected", arguments: ServiceMode.allCases)
    func edges(mode: ServiceMode) async throws {
        try await ServiceFixture.with(mode) { service in
            let nothing = try await service.commit()
            #expect(nothing.results.isEmpty)
            await expectError(.invalidArgument) { try await service.commit(.transform("c/a", "__x__", .serverTimestamp)) }
            await expectError(.invalidArgument) { try await service.commit(.set("c/__x__")) }
            await expectError(.deadlineExceeded) {
                try await service.commit([.set("c/a")], context: RequestContext(caller: .administrator, deadline: .now - .seconds(1)))
            }
            #expect(try await service.paths(.collection("c")) == [])
        }
    }
}
