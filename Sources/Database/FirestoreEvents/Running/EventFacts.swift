// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreStorage

/// The facts that triggers store in a database.
package enum EventFacts {
    private static let positions = "hearth/events/positions/"

    private static let switches = "hearth/events/off/"

    static func position(of trigger: String) -> String { positions + trigger }

    /// The definition of a trigger whose receiver wants no more events.
    static func switchedOff(_ trigger: String) -> String { switches + trigger }

    /// Lets a trigger deliver again whose receiver wanted no more events.
    package static func switchOn(_ trigger: EventTrigger, in database: any LoggedDatabase) async throws(FirestoreError) {
        let key = switchedOff(trigger.storedName)
        try await database.changeFacts { (facts) throws(FirestoreError) in try facts.setFact(key, nil) }
    }

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
            let off = switchedOff("\(owner.rawValue)/\(name)")
            try await database.changeFacts { (facts) throws(FirestoreError) in try facts.setFact(off, nil) }
        }
        return forgotten
    }
}
