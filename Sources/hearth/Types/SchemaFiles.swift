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

    static func write(_ bytes: [UInt8], to file: String, replacing: Bool) throws(FirestoreError) {
        let output = try OutputFile(file, replacing: replacing)
        try output.append(bytes)
        try output.finish()
    }

    static func read(_ file: String) throws(FirestoreError) -> SchemaFile {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw FirestoreError(.notFound, "the file does not exist or cannot be read", at: file)
        }
        return try SchemaFile(data, name: file)
    }

    /// Adds what is found to a schema in a file, which is created if it does not exist, and rewritten.
    static func widen(_ found: inout SchemaReading.Found, file: String) throws(FirestoreError) {
        if FileManager.default.fileExists(atPath: file) {
            let old = try read(file)
            guard equalUTF8(old.collection, found.collection), old.isGroup == found.isGroup else {
                throw .invalidArgument("this is the schema of \(old.collection), not of \(found.collection)", at: file)
            }
            let before = old.tree.documents
            old.tree.merge(found.tree)
            found.tree = old.tree
            found.extent = "\(Figures.grouped(before)) of them earlier"
        }
        let schema = SchemaFile(collection: found.collection, isGroup: found.isGroup, tree: found.tree)
        try write(schema.json.bytes(.indented) + [0x0A], to: file, replacing: true)
    }
}
