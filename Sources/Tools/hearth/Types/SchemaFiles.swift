// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreSchema
import FirestoreTransfer
import Foundation

/// Files that the commands about types read and write.
enum SchemaFiles {
    static func refuseExisting(_ file: String) throws(FirestoreError) {
        guard !FileManager.default.fileExists(atPath: file) else {
            throw FirestoreError(.alreadyExists, "the file exists; use --overwrite to replace it", at: file)
        }
    }

    /// A file with this content, which gets its name with `finish`.
    static func file(_ bytes: [UInt8], at path: String, replacing: Bool) throws(FirestoreError) -> OutputFile {
        let output = try OutputFile(path, replacing: replacing)
        try output.append(bytes)
        return output
    }

    static func read(_ file: String) throws(FirestoreError) -> SchemaFile { try SchemaFile(bytes(of: file), name: file) }

    /// The content of a file, which may be a pipe: it is read once. `-` is standard input.
    static func bytes(of file: String) throws(FirestoreError) -> [UInt8] {
        let input = try InputFile(file)
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            // The error leaves the closure in a result, because `withUnsafeMutableBytes` does not support typed throws.
            let result = part.withUnsafeMutableBytes { bytes in
                Result { () throws(FirestoreError) in try input.read(into: bytes) }
            }
            let count = try result.get()
            if count == 0 { return bytes }
            bytes += part[..<count]
        }
    }

    /// Rejects a schema of other documents than these.
    static func check(_ schema: SchemaFile, is collection: String, isGroup: Bool, file: String) throws(FirestoreError) {
        guard !equalUTF8(schema.collection, collection) || schema.isGroup != isGroup else { return }
        let tellsKinds = schema.isGroup != isGroup
        func name(_ collection: String, _ isGroup: Bool) -> String {
            (tellsKinds ? isGroup ? "the group " : "the collection " : "") + StoredText.plain(collection)
        }
        throw .invalidArgument(
            "this is the schema of \(name(schema.collection, schema.isGroup)), not of \(name(collection, isGroup))", at: file)
    }

    /// A schema file before documents are read for it.
    struct Known: Sendable {
        /// nil: there is no such file yet.
        var bytes: [UInt8]?
        /// The documents in it.
        var counted: CountedDocuments
    }

    /// The schema of a collection that is known before documents are read.
    static func known(in file: String, of source: SchemaSourceOptions) throws(FirestoreError) -> Known {
        guard FileManager.default.fileExists(atPath: file) else { return Known(counted: CountedDocuments()) }
        let bytes = try bytes(of: file)
        let schema = try SchemaFile(bytes, name: file)
        try check(schema, is: source.collection, isGroup: source.group, file: file)
        return Known(bytes: bytes, counted: schema.tree.counted ?? CountedDocuments())
    }

    /// Adds the findings to the schema of a file, if there is one. Nothing is written yet.
    static func widen(_ found: inout SchemaReading.Found, _ known: Known, file: String) throws(FirestoreError) {
        guard let bytes = known.bytes else { return }
        let old = try SchemaFile(bytes, name: file)
        let before = old.tree.documents
        old.tree.merge(found.tree)
        old.tree.counted = found.tree.counted
        found.tree = old.tree
        found.extent = before == old.tree.documents ? "all of them earlier" : "\(Figures.grouped(before)) of them earlier"
    }
}
