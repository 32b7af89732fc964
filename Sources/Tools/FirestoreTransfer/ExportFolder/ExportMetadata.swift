// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// The content of `NAME.overall_export_metadata`: the parts of an export. A log file of two records.
struct OverallExportMetadata {
    struct Part: Equatable {
        /// Relative to the file.
        var path: String
        /// The number of documents in the part; nil if the file does not have it.
        var documents: Int?
        /// Bytes of its output files.
        var bytes: Int64?
    }

    /// The first record: the version of the format, as text.
    static let version = "3"

    var parts: [Part]

    init(parts: [Part]) { self.parts = parts }

    init(file path: String) throws(FirestoreError) {
        var reader = RecordLogReader(try InputFile(path))
        parts = []
        var number = 0
        while let found = try reader.next({ [number] bytes -> Result<[Part], FirestoreError> in
            do throws(EntityProblem) {
                return .success(number == 0 ? try Self.checkVersion(bytes) : try Self.parts(bytes))
            } catch {
                return .failure(FirestoreError(.dataLoss, "the file does not describe an export in a known format", at: path))
            }
        }) {
            parts += try found.get()
            number += 1
        }
        guard number > 0 else { throw FirestoreError(.dataLoss, "the file is empty; the export is incomplete", at: path) }
    }

    private static func checkVersion(_ bytes: UnsafeRawBufferPointer) throws(EntityProblem) -> [Part] {
        guard bytes.elementsEqual(version.utf8) else { throw EntityProblem(.malformed) }
        return []
    }

    private static func parts(_ bytes: UnsafeRawBufferPointer) throws(EntityProblem) -> [Part] {
        var parts: [Part] = []
        var fields = MessageFields(bytes)
        while let (number, payload) = try fields.next() {
            guard number == 1, case .bytes(let bytes) = payload else { continue }
            var part = Part(path: "")
            var inner = MessageFields(bytes)
            while let (number, payload) = try inner.next() {
                switch (number, payload) {
                case (2, .bytes(let path)): part.path = String(decoding: path, as: UTF8.self)
                case (3, .varint(let count)): part.documents = Int(clamping: count)
                case (4, .varint(let count)): part.bytes = Int64(clamping: count)
                default: break
                }
            }
            parts.append(part)
        }
        return parts
    }

    var bytes: [UInt8] {
        var message = MessageBytes()
        for part in parts {
            message.appendMessage(1) { inner in
                // All kinds, all namespaces.
                inner.appendMessage(1) { scope in
                    scope.append(1, integer: 2)
                    scope.append(3, integer: 3)
                }
                inner.append(2, text: part.path)
                inner.append(3, integer: part.documents ?? 0)
                inner.append(4, integer: Int(part.bytes ?? 0))
            }
        }
        return message.bytes
    }
}

/// The content of a part's `.export_metadata`: its output files. A single message.
struct PartExportMetadata {
    /// Relative to the file.
    var outputs: [String]

    init(outputs: [String]) { self.outputs = outputs }

    /// Larger than the names of a million files.
    private static let maximumSize = 64 << 20

    init(file path: String) throws(FirestoreError) {
        let file = try InputFile(path)
        let size = file.size ?? 0
        guard size <= Self.maximumSize else { throw FirestoreError(.dataLoss, "the file is too large for an export's metadata", at: path) }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        let result = bytes.withUnsafeMutableBytes { bytes -> Result<Int, FirestoreError> in
            do throws(FirestoreError) { return .success(try file.fill(bytes)) } catch { return .failure(error) }
        }
        let count = try result.get()
        let outputs = bytes.withBytes(in: 0..<count) { bytes in
            Result { () throws(EntityProblem) in try Self.outputs(bytes) }
        }
        guard case .success(let outputs) = outputs else {
            throw FirestoreError(.dataLoss, "the file does not describe a part of an export in a known format", at: path)
        }
        self.outputs = outputs
    }

    private static func outputs(_ bytes: UnsafeRawBufferPointer) throws(EntityProblem) -> [String] {
        var outputs: [String] = []
        var fields = MessageFields(bytes)
        while let (number, payload) = try fields.next() {
            guard number == 2, case .bytes(let bytes) = payload else { continue }
            var inner = MessageFields(bytes)
            while let (number, payload) = try inner.next() {
                if number == 2, case .bytes(let name) = payload { outputs.append(String(decoding: name, as: UTF8.self)) }
            }
        }
        return outputs
    }

    /// Without the times that the emulator writes, which do not belong to the content of the export.
    var bytes: [UInt8] {
        var message = MessageBytes()
        message.appendMessage(1) { $0.append(1, text: ExportFolder.name) }
        for output in outputs {
            message.appendMessage(2) { inner in
                inner.append(1, bytes: [])
                inner.append(2, text: output)
            }
        }
        return message.bytes
    }
}
