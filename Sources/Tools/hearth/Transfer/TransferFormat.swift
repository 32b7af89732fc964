// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import FirestoreCore
import FirestoreEngine
import FirestoreTransfer

/// The format of an export (`docs/guides/import-export.md`).
enum TransferFormat: String, ExpressibleByArgument, CaseIterable {
    /// One JSON object per line.
    case jsonl
    /// A folder in the format of the official emulator and of Google's managed exports.
    case emulator

    static var allValueStrings: [String] { allCases.map(\.rawValue) }
}

/// The format of an import.
extension FileFormat: ExpressibleByArgument {}

extension OpenPlace {
    /// Connections can break, files cannot.
    var isRemote: Bool { service.isShared }
}
