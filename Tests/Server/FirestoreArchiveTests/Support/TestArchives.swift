// SPDX-License-Identifier: Apache-2.0
import ArchiveStores
import FirestoreArchive
import FirestoreCore
import TestSupport

/// The kinds of archives that need no server.
enum LocalArchive: CaseIterable {
    case memory, directory, encrypted, faulty

    func run(_ body: (any ArchiveStore) async throws -> Void) async throws {
        switch self {
        case .memory: try await body(MemoryArchive())
        case .directory:
            let folder = try ScratchFolder()
            defer { withExtendedLifetime(folder) {} }
            try await body(DirectoryArchive(path: folder.path))
        case .encrypted: try await body(EncryptedArchive(MemoryArchive(), key: .test()))
        case .faulty: try await body(FaultyArchive(MemoryArchive()))
        }
    }
}

extension ArchiveKey {
    /// A key that is the same for the same seed.
    static func test(_ seed: UInt64 = 1) -> ArchiveKey {
        var generator = SeededGenerator(seed: seed)
        let bytes = (0..<ArchiveKey.byteCount).map { _ in UInt8.random(in: 0...255, using: &generator) }
        guard let key = ArchiveKey(bytes) else { preconditionFailure("32 bytes are a key") }
        return key
    }
}

/// A name of few letters, so that names are often in each other's way, and of letters that sort around the slash.
func randomName(_ generator: inout SeededGenerator) -> String {
    let letters = ["a", "b", "-", "0", "é", "~", " "]
    let segments = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
        (0..<Int.random(in: 1...2, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "a" }.joined()
    }
    return segments.joined(separator: "/")
}
