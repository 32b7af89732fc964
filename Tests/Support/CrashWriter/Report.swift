// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreEngine
import FirestoreIndexing
import Foundation

/// One line in one unbuffered write: it is out before the next statement runs.
func say(_ line: String) {
    let bytes = [UInt8]((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
}

func configuration(_ file: String) -> EngineConfiguration {
    EngineConfiguration(
        location: .file(path: file), databaseID: DatabaseID(projectID: "test"),
        // Many steps, between which commits get in and a kill leaves half an index.
        indexLimits: IndexLimits(documentsPerStep: 20, entriesPerStep: 20))
}
