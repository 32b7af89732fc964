// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// Requests in JSON, for pages that show them or describe one.
extension FirestoreMethod {
    /// A request in the JSON form of REST, with everything that REST has in the path.
    package func requestJSON(_ message: ByteSlice) throws(FirestoreError) -> JSON {
        try JSONFromProtobuf.json(message, as: messages.request)
    }

    /// The request that JSON of this form describes.
    package func requestBytes(_ json: JSON) throws(FirestoreError) -> ByteSlice {
        ByteSlice(try ProtobufFromJSON.bytes(json, as: messages.request))
    }
}
