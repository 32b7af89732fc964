// SPDX-License-Identifier: Apache-2.0

/// What a look at everything in a database came to.
package struct ConsistencyReport: Sendable {
    /// The first of them; a badly damaged file has more than anybody reads.
    package private(set) var findings: [ConsistencyFinding] = []
    /// How many more there are.
    package private(set) var omitted = 0
    /// What would help, for all findings.
    package private(set) var repairs: Set<ConsistencyRepair> = []
    /// Findings that no repair puts right.
    package private(set) var beyondRepair = 0
    /// Documents that nobody can read any more are among them.
    package private(set) var hasLostDocuments = false
    package var collections = 0
    package var documents = 0
    /// Entries of the change log.
    package var changes = 0
    package var indexes = 0
    package var indexEntries = 0

    private static let limit = 1_000

    package init() {}

    package var isSound: Bool { findings.isEmpty }
    /// All of them.
    package var count: Int { findings.count + omitted }

    package mutating func add(_ finding: ConsistencyFinding) {
        if findings.count < Self.limit { findings.append(finding) } else { omitted += 1 }
        if finding.subject == .document, finding.repair == nil { hasLostDocuments = true }
        if let repair = finding.repair { repairs.insert(repair) } else { beyondRepair += 1 }
    }
}
