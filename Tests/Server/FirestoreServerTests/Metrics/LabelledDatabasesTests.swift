// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Testing

@testable import FirestoreServer

struct LabelledDatabasesTests {
    private func name(_ number: Int) -> DatabaseName { DatabaseName(DatabaseID(projectID: "p", databaseID: "database-\(number)")) }

    private func choose(_ databases: inout LabelledDatabases, _ uses: [Int: UInt64]) -> Set<Int> {
        let open = uses.sorted { $0.key < $1.key }.map { (name: name($0.key), uses: $0.value) }
        let names = databases.choose(open)
        return Set(uses.keys.filter { names.contains(name($0)) })
    }

    @Test func `the busiest have names`() {
        var databases = LabelledDatabases(most: 2)
        #expect(choose(&databases, [1: 5, 2: 7, 3: 6]) == [2, 3])
    }

    @Test func `a name stays until another database is twice as busy`() {
        var databases = LabelledDatabases(most: 2)
        #expect(choose(&databases, [1: 10, 2: 10, 3: 1]) == [1, 2])
        // Since then 10, 10 and 20.
        #expect(choose(&databases, [1: 20, 2: 20, 3: 21]) == [1, 2])
        // Since then 10, 9 and 19.
        #expect(choose(&databases, [1: 30, 2: 29, 3: 40]) == [1, 3])
    }

    @Test func `the name of a database that is closed becomes free`() {
        var databases = LabelledDatabases(most: 1)
        #expect(choose(&databases, [1: 10, 2: 1]) == [1])
        #expect(choose(&databases, [2: 1]) == [2])
        // Opened again, its count begins anew.
        #expect(choose(&databases, [1: 1, 2: 2]) == [2])
        #expect(choose(&databases, [1: 10, 2: 3]) == [1])
    }
}
