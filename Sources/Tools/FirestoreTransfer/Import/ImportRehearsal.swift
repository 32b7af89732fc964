// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// An import that writes nothing: it checks every document of a file, and counts those that the database has already.
///
/// Runs on one thread, which waits for the database.
package struct ImportRehearsal {
    /// Looks up documents, and waits for the answer.
    package typealias Lookup = ([DocumentKey]) throws(FirestoreError) -> [Document?]

    package struct Result: Sendable {
        package var progress = TransferProgress()
        package var bad = 0
        /// The number of documents that the import would replace, and some of their paths.
        package var existing = 0
        package var examples: [String] = []
    }

    private static let lookedUpTogether = 100
    private static let examples = 20

    private let badAllowed: Int
    private let onBadDocument: (FirestoreError) -> Void
    private let onProgress: (TransferProgress) -> Void
    private let lookup: Lookup
    private var result = Result()
    private var keys: [DocumentKey] = []

    package init(
        badAllowed: Int, onBadDocument: @escaping (FirestoreError) -> Void, onProgress: @escaping (TransferProgress) -> Void,
        lookup: @escaping Lookup
    ) {
        self.badAllowed = badAllowed
        self.onBadDocument = onBadDocument
        self.onProgress = onProgress
        self.lookup = lookup
    }

    package mutating func run(_ input: any DocumentInput) throws(FirestoreError) -> Result {
        var input = input
        while let item = try input.next() {
            do throws(FirestoreError) {
                keys.append(try item.checked().key)
                result.progress.documents += 1
            } catch {
                guard result.bad < badAllowed else { throw error }
                result.bad += 1
                onBadDocument(error)
            }
            guard keys.count >= Self.lookedUpTogether else { continue }
            try lookUp()
            result.progress.bytes = input.bytesRead
            onProgress(result.progress)
        }
        try lookUp()
        result.progress.bytes = input.bytesRead
        return result
    }

    private mutating func lookUp() throws(FirestoreError) {
        guard !keys.isEmpty else { return }
        for (key, document) in zip(keys, try lookup(keys)) where document != nil {
            result.existing += 1
            if result.examples.count < Self.examples { result.examples.append(key.path) }
        }
        keys.removeAll(keepingCapacity: true)
    }
}
