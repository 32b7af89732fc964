import ArgumentParser
import FirestoreCore
import FirestoreEngine
import FirestoreTransfer

/// What an export writes (`docs/import-export.md`).
enum TransferFormat: String, ExpressibleByArgument, CaseIterable {
    /// One JSON object a line.
    case jsonl
    /// A folder as the official emulator and Google's managed exports write it.
    case emulator

    static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

/// What an import reads.
extension FileFormat: ExpressibleByArgument {}

extension OpenPlace {
    /// Connections break, files do not.
    var isRemote: Bool { service.isShared }
}
