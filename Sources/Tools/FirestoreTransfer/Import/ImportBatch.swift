// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The documents of one commit, and their locations in the file.
struct ImportBatch: Sendable {
    private(set) var writes: [Write] = []
    private(set) var places: [ImportPlace] = []
    /// The approximate size of the request, in bytes.
    private(set) var weight = 0

    var isEmpty: Bool { writes.isEmpty }
    var count: Int { writes.count }

    static func weight(of document: TransferredDocument) -> Int { document.fields.bytes.count + document.key.path.utf8.count + 96 }

    mutating func append(_ document: TransferredDocument, at place: ImportPlace) {
        if writes.isEmpty {
            writes.reserveCapacity(64)
            places.reserveCapacity(64)
        }
        writes.append(document.write)
        places.append(place)
        weight += Self.weight(of: document)
    }

    /// An error of the commit, with the location of the document it names, or that of the whole batch.
    func located(_ error: FirestoreError) -> FirestoreError {
        if let location = error.location {
            let named = writes.firstIndex { write in
                let path = write.key.path.utf8
                guard location.utf8.starts(with: path) else { return false }
                let next = location.utf8.dropFirst(path.count).first
                return next == nil || next == UInt8(ascii: ",") || next == UInt8(ascii: ":")
            }
            if let named { return error.inside(places[named].description) }
        }
        guard let first = places.first, let last = places.last else { return error }
        return error.inside(ImportPlace.range(first, last))
    }
}

/// The limits of one commit, and of the commits in flight.
package struct ImportLimits: Sendable {
    package var documentsPerCommit: Int
    package var bytesPerCommit: Int
    package var commitsInFlight: Int
    package var bytesInFlight: Int
    /// How often a commit that failed with a transient error is sent again. Sets are idempotent.
    package var retries: Int

    package init(
        documentsPerCommit: Int = 500, bytesPerCommit: Int = 1 << 20, commitsInFlight: Int = 16, bytesInFlight: Int = 8 << 20,
        retries: Int = 0
    ) {
        self.documentsPerCommit = documentsPerCommit
        self.bytesPerCommit = bytesPerCommit
        self.commitsInFlight = commitsInFlight
        self.bytesInFlight = bytesInFlight
        self.retries = retries
    }
}
