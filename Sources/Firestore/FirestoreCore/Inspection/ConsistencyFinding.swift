// SPDX-License-Identifier: Apache-2.0

/// One inconsistency in a database.
package struct ConsistencyFinding: Sendable, Hashable {
    package enum Subject: String, Sendable {
        case file
        /// The facts that the database records about itself: its name, its last commit.
        case facts
        case collection, document
        /// The change log.
        case history
        case index
    }

    package let subject: Subject
    /// The path or index; nil if there is only one, or if it cannot be named any more.
    package let place: String?
    /// A clause about it; never field values.
    package let problem: String
    /// nil if the file does not contain the information for a repair: only a backup helps.
    package let repair: ConsistencyRepair?

    package init(
        _ subject: Subject, _ place: String? = nil, _ problem: String, repair: ConsistencyRepair? = nil
    ) {
        self.subject = subject
        self.place = place
        self.problem = problem
        self.repair = repair
    }
}

extension ConsistencyFinding: CustomStringConvertible {
    package var description: String {
        switch subject {
        case .file: problem
        case .facts: "the database: " + problem
        case .collection, .document: place.map { "\(subject.rawValue) \($0): \(problem)" } ?? "\(subject.rawValue)s: \(problem)"
        case .index: place.map { "index \($0): \(problem)" } ?? "indexes: \(problem)"
        case .history: place.map { "history of \($0): \(problem)" } ?? "history: \(problem)"
        }
    }
}
