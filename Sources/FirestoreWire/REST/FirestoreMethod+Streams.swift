// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Messages of streams in JSON, as WebChannel carries them (WC-62, WC-63).
extension FirestoreMethod {
    /// A request of a stream, and the database that it names.
    package func requestBytes(ofJSON text: [UInt8]) throws(FirestoreError) -> (message: ByteSlice, database: String?) {
        guard let (type, _) = messages else { throw FirestoreError(.unimplemented, "\(rawValue) is not offered here") }
        let json = try JSON(text)
        guard case .object = json else { throw .invalidArgument("a message must be a JSON object") }
        var database: String?
        if case .string(let name)? = json["database"], !name.utf8.isEmpty { database = name }
        return (ByteSlice(try ProtobufFromJSON.bytes(json, as: type)), database)
    }

    /// A list of one object: the answer.
    package func responseJSON(of message: [UInt8]) throws(FirestoreError) -> [UInt8] {
        guard let (_, type) = messages else { throw FirestoreError(.unimplemented, "\(rawValue) is not offered here") }
        return try message.withUnsafeBufferPointer { (message) throws(FirestoreError) in
            var json = JSONTextFromProtobuf(capacity: 2 * message.count + 256)
            json.append("[")
            try json.write(UnsafeRawBufferPointer(message), as: type)
            json.append("]")
            return json.text
        }
    }
}
