// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSemantics
import Testing

@testable import FirestoreEnforcement

/// Reads during which the rules are replaced: what is read afterwards is granted by the new ones, or not at all (DN-9.3 g).
struct ReplacedRulesTests {
    private static let open = "match /{all=**} { allow read; }"
    private static let query = StructuredQuery(scope: .collection(CollectionPath(trusted: "c")))

    private func database() async throws -> RuledDatabase {
        let database = try await RuledDatabase(Self.open)
        let writes = (0..<50).map { number in
            let fields = FieldBytes(FieldMap([("text", .string(String(repeating: "x", count: 100_000)))]))
            return Write(key: DocumentKey(trusted: "c/\(number)"), operation: .set(fields))
        }
        for write in writes { try await database.fill(write) }
        return database
    }

    @Test func `a read is judged again if the rules were replaced before it ended`() async throws {
        let database = try await database()
        var reads = 0
        let context = RequestContext.anonymous
        let error = await #expect(throws: FirestoreError.self) {
            try await database.service.underSteadyRules(context) { () async throws(FirestoreError) in
                _ = try await database.service.admit(Self.query, .acknowledged(), context)
                reads += 1
                do { try database.replaceRules("") } catch { Issue.record(error) }
            }
        }
        #expect(reads == 1 && error?.code == .permissionDenied)
        // Administrators are not judged, so nothing is read twice for them.
        try database.replaceRules(Self.open)
        let count = try await database.service.underSteadyRules(.embedded) { () async throws(FirestoreError) in
            do { try database.replaceRules("") } catch { Issue.record(error) }
            reads += 1
            return reads
        }
        #expect(count == 2)
        await database.close()
    }

    @Test func `the pages behind the replacement are denied`() async throws {
        let database = try await database()
        let pages = Mutex(0)
        let error = await #expect(throws: FirestoreError.self) {
            try await database.service.run(Self.query, options: .acknowledged(), context: .anonymous) { (_) async throws(FirestoreError) in
                pages.withLock { $0 += 1 }
                do { try database.replaceRules("") } catch { Issue.record(error) }
                return .next
            }
        }
        #expect(pages.withLock { $0 } == 1 && error?.code == .permissionDenied)
        await database.close()
    }
}
