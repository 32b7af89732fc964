// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// A JSON file of Firebase's command line. Comments and a byte-order mark are allowed. Mistakes name file, line and column.
struct FirebaseJSON {
    let path: String
    let root: JSONNode
    private let lines: JSONTextLines

    init(reading path: String) throws(FirestoreError) {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw FirestoreError(.notFound, "the file does not exist or cannot be read", at: path)
        }
        try self.init(data, path: path)
    }

    init(_ text: some Sequence<UInt8>, path: String) throws(FirestoreError) {
        let bytes = JSON.withoutComments(text)
        self.path = path
        do throws(FirestoreError) {
            root = JSONNode(try JSON(bytes))
        } catch {
            let byte = error.location.flatMap { Int($0.split(separator: " ").last ?? "") } ?? 0
            let (line, column) = (JSONTextLines.line(ofByte: byte, in: bytes), JSONTextLines.column(ofByte: byte, in: bytes))
            throw .invalidArgument(error.message, at: "\(path):\(line):\(column)")
        }
        lines = JSONTextLines(bytes)
        if let twice = Self.duplicate(in: root) {
            throw located(twice.node.failure("the member \"\(twice.name)\" appears twice; keep one of them"))
        }
    }

    /// `firestore.indexes.json:4:7`
    func position(of place: String) -> String { "\(path):\(lines.line(of: place)):\(lines.column(of: place))" }

    /// An error of a reader of the tree, whose location is a place in it.
    func located(_ error: FirestoreError) -> FirestoreError {
        let place = error.location ?? ""
        return FirestoreError(error.code, error.message, at: position(of: place) + (place.isEmpty ? "" : " (\(place))"))
    }

    /// Runs a reader of the tree, whose errors get the position.
    func read<R>(_ body: (JSONNode) throws(FirestoreError) -> R) throws(FirestoreError) -> R {
        do throws(FirestoreError) { return try body(root) } catch { throw located(error) }
    }

    /// An object with a name that occurs twice: readers differ in which one they take.
    private static func duplicate(in node: JSONNode) -> (node: JSONNode, name: String)? {
        if let entries = try? node.entries() {
            var names: Set<[UInt8]> = []
            for entry in entries {
                if !names.insert(Array(entry.name.utf8)).inserted { return (node, entry.name) }
                if let found = duplicate(in: entry.node) { return found }
            }
        } else if let elements = try? node.elements() {
            for element in elements {
                if let found = duplicate(in: element) { return found }
            }
        }
        return nil
    }
}
