// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRules

extension RuleEnforcement {
    /// The known documents on which a request is judged: most often one.
    struct Sample {
        private(set) var keys: [DocumentKey] = []
        private var documents: [Document?] = []
        /// The positions of the keys, of a sample that is too large to be searched through.
        private var positions: [DocumentKey: Int]?

        private static let searched = 16

        init() {}

        /// The documents of a lookup, in the order of the keys.
        init(_ keys: [DocumentKey], _ documents: [Document?]) {
            self.keys = keys
            self.documents = documents
            indexIfLarge()
        }

        private mutating func indexIfLarge() {
            guard keys.count > Self.searched else { return }
            positions = Dictionary(zip(keys, keys.indices), uniquingKeysWith: { first, _ in first })
        }

        private func position(of key: DocumentKey) -> Int? {
            if let positions { return positions[key] }
            return keys.firstIndex(of: key)
        }

        /// Nil for a document that is not known, an inner nil for a missing one.
        subscript(key: DocumentKey) -> Document?? { position(of: key).map { documents[$0] } }

        mutating func learn(_ document: Document?, of key: DocumentKey) {
            if let position = position(of: key) {
                documents[position] = document
                return
            }
            keys.append(key)
            documents.append(document)
            if positions == nil { indexIfLarge() } else { positions?[key] = keys.count - 1 }
        }
    }
}
