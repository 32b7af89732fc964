// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage

/// The facts that triggers store in a database.
package enum EventFacts {
    private static let positions = "hearth/events/positions/"

    static func position(of trigger: String) -> String { positions + trigger }

    /// Forgets where the triggers of an owner are that are not in a list: a trigger with such a name begins anew, and the log is not kept
    /// for it. Returns the names that were forgotten.
    package static func forget(
        _ owner: EventTrigger.Owner, except names: Set<String>, in database: any LoggedDatabase
    ) async throws(FirestoreError) -> [String] {
        let prefix = positions + owner.rawValue + "/"
        let found = try await database.changeFacts { (facts) throws(FirestoreError) in
            var found: [String] = []
            try facts.facts(in: prefix..<(positions + owner.rawValue + "0")) { key, _ in found.append(String(key.dropFirst(prefix.count))) }
            return found
        }
        let forgotten = found.filter { !names.contains($0) }
        for name in forgotten {
            try await database.setHold("events/\(owner.rawValue)/\(name)", at: nil, storing: prefix + name, nil)
        }
        return forgotten
    }
}
