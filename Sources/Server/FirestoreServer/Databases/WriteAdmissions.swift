// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// Several decisions about one database: a commit needs all of them.
struct WriteAdmissions: WriteAdmission {
    private let all: [any WriteAdmission]

    /// nil if nothing is ever refused.
    init?(_ all: [(any WriteAdmission)?]) {
        self.all = all.compactMap(\.self)
        if self.all.isEmpty { return nil }
    }

    func admit(_ writes: [Write], for caller: RequestContext.Caller) throws(FirestoreError) {
        for admission in all { try admission.admit(writes, for: caller) }
    }
}
