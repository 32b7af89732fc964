// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Messages of streams in JSON, as WebChannel carries them (WC-62, WC-63).
extension FirestoreMethod {
    /// A request of a stream, and the database that it names.
    package func requestBytes(ofJSON text: [UInt8]) throws(FirestoreError) -> (message: ByteSlice, database: String?) {
        var converter = ProtobufFromJSON(capacity: text.count / 2 + 1_024)
        try converter.append(ByteSlice(text), as: messages.request)
        let message = converter.message
        var database = ""
        var fields = MessageReader(message)
        // Both kinds of messages begin with it.
        while let field = try fields.next() {
            if field.number == 1 { try field.read(&database) }
        }
        return (message, database.utf8.isEmpty ? nil : database)
    }

    /// A list of one object: the answer.
    package func responseJSON(of message: [UInt8]) throws(FirestoreError) -> [UInt8] {
        let type = messages.response
        return try message.withUnsafeBufferPointer { (message) throws(FirestoreError) in
            var json = JSONTextFromProtobuf(capacity: 2 * message.count + 256)
            json.append("[")
            try json.write(UnsafeRawBufferPointer(message), as: type)
            json.append("]")
            return json.text
        }
    }
}
