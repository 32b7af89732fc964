// SPDX-License-Identifier: Apache-2.0
import EmbeddedPages
import Foundation

/// The folder `Console/`: inside the program, or on disk, to work on it.
struct PageFolder: Sendable {
    private static let largestFile = 4 << 20
    private static let inside = Dictionary(uniqueKeysWithValues: EmbeddedFile.all.map { ($0.path, $0.text) })

    /// Read with every request; nil for the files inside the program.
    var directory: String?

    func bytes(of path: String) -> [UInt8]? {
        guard let directory else { return Self.inside[path].map { $0.withUTF8Buffer { Array($0) } } }
        let place = directory + "/" + path
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: place, isDirectory: &isDirectory), !isDirectory.boolValue,
            let handle = FileHandle(forReadingAtPath: place), let data = try? handle.read(upToCount: Self.largestFile)
        else { return nil }
        return [UInt8](data)
    }

    /// The names of the files in a folder, sorted.
    func names(in folder: String) -> [String] {
        guard let directory else {
            return Self.inside.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }.sorted()
        }
        return ((try? FileManager.default.contentsOfDirectory(atPath: directory + "/" + folder)) ?? []).sorted()
    }
}
