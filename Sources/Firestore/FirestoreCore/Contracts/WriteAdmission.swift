// SPDX-License-Identifier: Apache-2.0

/// Decides before a commit is queued whether there is room for what it writes. Called for every commit of every caller: it must not wait.
package protocol WriteAdmission: Sendable {
    /// Throws if the writes have to be refused for now. The failure says nothing about the commit, which may be tried again.
    func admit(_ writes: [Write], for caller: RequestContext.Caller) throws(FirestoreError)
}
