// SPDX-License-Identifier: Apache-2.0
import FirestoreCore

/// One field of a protobuf message: its number on the wire, its name in JSON, its content.
///
/// (SwiftProtobuf's JSON is not used: its maps are dictionaries of strings, in which two spellings of é are one key (DM-7), and its
/// errors do not say where in the request they are.)
struct MessageSchema: Sendable {
    enum Kind: Sendable {
        case boolean, int32, int64, double, string, bytes
        case enumeration([(name: String, number: Int)])
        case message(MessageType)
        // Messages with a special form in JSON.
        case timestamp, duration, wrappedInt32, wrappedInt64, wrappedDouble, structure, null
        /// A text in a `google.protobuf.Any`.
        case anyString
        /// Omitted: Hearth never fills it in.
        case opaque
    }

    enum Shape: Sendable, Equatable {
        case single
        case repeated
        /// A map from names to `kind`.
        case map
        /// At most one field with the same number is set.
        case oneof(Int)
    }

    let number: Int
    let name: String
    let kind: Kind
    let shape: Shape

    init(_ number: Int, _ name: String, _ kind: Kind, _ shape: Shape = .single) {
        self.number = number
        self.name = name
        self.kind = kind
        self.shape = shape
    }

    /// `updateMask` is called `update_mask` in the message; JSON may use either.
    var originalName: String {
        var result = ""
        for character in name {
            if character.isUppercase { result += "_" }
            result += character.lowercased()
        }
        return result
    }
}

extension MessageType {
    /// The field with a name, in either spelling.
    func field(called name: String) -> MessageSchema? {
        var name = name
        return name.withUTF8 { JSONMembers.of(self)[UnsafeRawBufferPointer($0)] }.map { fields[Int($0.index)] }
    }
}
