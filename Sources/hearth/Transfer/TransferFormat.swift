import ArgumentParser
import FirestoreCore
import FirestoreEngine
import FirestoreTransfer
import Foundation

/// What files an import reads and an export writes (`docs/import-export.md`).
enum TransferFormat: String, ExpressibleByArgument, CaseIterable {
    /// One JSON object a line.
    case jsonl
    /// A folder as the official emulator and Google's managed exports write it.
    case emulator

    static var allValueStrings: [String] { allCases.map(\.rawValue) }

    /// What a path looks like that says nothing else.
    init(of path: String) {
        var isDirectory = ObjCBool(false)
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        self = exists && isDirectory.boolValue || path.hasSuffix(ExportFolder.metadataSuffix) ? .emulator : .jsonl
    }
}

extension OpenPlace {
    /// Connections break, files do not.
    var isRemote: Bool { !(service is Engine) }
}
