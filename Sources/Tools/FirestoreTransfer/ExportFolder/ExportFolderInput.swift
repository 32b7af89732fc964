// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Documents from an export of the official emulator, of Google's service, or of Hearth.
package struct ExportFolderInput: DocumentInput {
    private let metadata: String
    private let outputs: [String]
    private let entities: EntityReader
    /// The number of documents in the metadata; nil if a part does not have it.
    private let promised: Int?
    private var documents = 0
    private var nextOutput = 0
    private var current: RecordLogReader?
    /// The bytes of the files that have been read completely.
    private var bytesBefore: Int64 = 0
    package let size: Int64?

    /// `path`: the folder, or the file in it that ends in `.overall_export_metadata`.
    package init(_ path: String, database: DatabaseID) throws(FirestoreError) {
        metadata = try ExportFolder.metadataFile(of: path)
        entities = EntityReader(database: database)
        var (outputs, size, promised): ([String], Int64, Int?) = ([], 0, 0)
        for part in try OverallExportMetadata(file: metadata).parts {
            let file = try ExportFolder.resolve(part.path, beside: metadata)
            for name in try PartExportMetadata(file: file).outputs {
                let output = try ExportFolder.resolve(name, beside: file)
                size += try InputFile(output).size ?? 0
                outputs.append(output)
            }
            promised = promised.flatMap { sum in part.documents.map { sum &+ $0 } }
        }
        (self.outputs, self.size, self.promised) = (outputs, size, promised)
    }

    package var bytesRead: Int64 { bytesBefore + (current?.bytesRead ?? 0) }

    package mutating func next() throws(FirestoreError) -> ImportItem? {
        while true {
            let entities = entities
            if let found = try current?.next({ entities.document($0) }), let reader = current {
                documents += 1
                let place = ImportPlace(file: reader.fileName, .byte(reader.recordOffset))
                return ImportItem(place, found.mapError { $0.inside(place.description) })
            }
            bytesBefore = bytesRead
            current = nil
            guard nextOutput < outputs.count else { break }
            current = RecordLogReader(try InputFile(outputs[nextOutput]))
            nextOutput += 1
        }
        // A file that is cut off between two records looks complete.
        if let promised, promised != documents {
            throw FirestoreError(
                .dataLoss, "the export is incomplete: it should contain \(promised) documents, but contains \(documents)", at: metadata)
        }
        return nil
    }
}
