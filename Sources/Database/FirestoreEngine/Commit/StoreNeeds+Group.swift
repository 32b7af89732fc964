// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreStorage

extension StoreNeeds {
    /// What a group of commits is going to read, as far as it shows before: the documents it writes, those that its transactions have read,
    /// and the outcomes of recorded sequences. What rules read is not among it.
    init(of group: [PendingCommit]) {
        self.init()
        for commit in group where commit.rejection == nil {
            for write in commit.writes { documents.insert(write.key) }
            for case let reads as TransactionReads in commit.conditions { documents.formUnion(reads.versions.keys) }
            if let place = commit.place, place.record != nil { facts.append(SequenceKey.all(of: place.sequence.streamID)) }
        }
    }
}
