// SPDX-License-Identifier: Apache-2.0

/// The result of checking everything in a database.
package struct ConsistencyReport: Sendable {
    /// The first findings; a badly damaged file has too many to list.
    package private(set) var findings: [ConsistencyFinding] = []
    /// The number of further findings.
    package private(set) var omitted = 0
    /// The repairs that would help, for all findings.
    package private(set) var repairs: Set<ConsistencyRepair> = []
    /// The number of findings that no repair can fix.
    package private(set) var beyondRepair = 0
    /// Whether documents that can no longer be read are among the findings.
    package private(set) var hasLostDocuments = false
    package var collections = 0
    package var documents = 0
    /// The number of entries of the change log.
    package var changes = 0
    package var indexes = 0
    package var indexEntries = 0

    private static let limit = 1_000

    package init() {}

    package var isSound: Bool { findings.isEmpty }
    package var count: Int { findings.count + omitted }

    package mutating func add(_ finding: ConsistencyFinding) {
        if findings.count < Self.limit { findings.append(finding) } else { omitted += 1 }
        if finding.subject == .document, finding.repair == nil { hasLostDocuments = true }
        if let repair = finding.repair { repairs.insert(repair) } else { beyondRepair += 1 }
    }
}
