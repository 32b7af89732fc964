// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The layout of an export (`docs/decisions/0021-export-format.md`):
///
///     NAME.overall_export_metadata                         the list of parts
///     all_namespaces/all_kinds/
///         all_namespaces_all_kinds.export_metadata         the list of a part's files
///         output-0, output-1, …                            the documents
package enum ExportFolder {
    package static let metadataSuffix = ".overall_export_metadata"

    /// The name of Hearth's exports, which is that of the emulator's own tools.
    static let name = "firestore_export"
    static let partFolder = "all_namespaces/all_kinds"
    static let partMetadata = partFolder + "/all_namespaces_all_kinds.export_metadata"

    static func outputName(_ number: Int) -> String { "output-\(number)" }

    /// The file that describes an export: the file itself, or the one in a folder or directly below it.
    static func metadataFile(of path: String) throws(FirestoreError) -> String {
        if path.hasSuffix(metadataSuffix) { return path }
        let own = metadataFiles(in: path)
        let found = own.isEmpty ? names(in: path).flatMap { metadataFiles(in: path + "/" + $0) } : own
        switch found.count {
        case 1: return found[0]
        case 0:
            guard isDirectory(path) else {
                throw .invalidArgument("an export is a folder, or the file in it that ends in \(metadataSuffix)", at: path)
            }
            throw FirestoreError(.notFound, "there is no export here: no file ends in \(metadataSuffix)", at: path)
        default:
            throw .invalidArgument("there is more than one export here; name one of the files that end in \(metadataSuffix)", at: path)
        }
    }

    /// Whether the path is an export or an empty folder: a mistyped name must not delete anything else.
    static func mayBeReplaced(_ path: String) -> Bool {
        isDirectory(path) && (names(in: path).isEmpty || !metadataFiles(in: path).isEmpty)
    }

    private static func metadataFiles(in folder: String) -> [String] {
        names(in: folder).filter { $0.hasSuffix(metadataSuffix) }.map { folder + "/" + $0 }
    }

    private static func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }

    static func isDirectory(_ path: String) -> Bool {
        var isDirectory = false
        #if canImport(FoundationEssentials)
            return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
        #else
            var flag = ObjCBool(isDirectory)
            isDirectory = FileManager.default.fileExists(atPath: path, isDirectory: &flag) && flag.boolValue
            return isDirectory
        #endif
    }

    /// Resolves a path in a metadata file. It must lie beside or below the file: another path could be an attempt to
    /// read other files. Exports that were written on Windows separate folders by back-slashes.
    static func resolve(_ relative: String, beside file: String) throws(FirestoreError) -> String {
        let parts = relative.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") }
        guard !relative.isEmpty, parts.allSatisfy({ !$0.isEmpty && !$0.elementsEqual("..".utf8) && !$0.elementsEqual(".".utf8) }) else {
            throw FirestoreError(.dataLoss, "the export names a file outside of its folder", at: file)
        }
        let folder = file.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(file[...$0]) } ?? ""
        // Elsewhere a back-slash is a character of a name like any other.
        let literal = folder + relative
        guard parts.count > 1, relative.utf8.contains(UInt8(ascii: "\\")), !FileManager.default.fileExists(atPath: literal) else {
            return literal
        }
        return folder + parts.map { String(Substring($0)) }.joined(separator: "/")
    }
}
