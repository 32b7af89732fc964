// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// `google.rpc.Status`: in the answers of BatchWrite, in the cause of a removed target, in detailed errors.
extension FirestoreError {
    /// nil for the status of success. Unknown numbers become `unknown`.
    package init?(status bytes: ByteSlice) throws(FirestoreError) {
        var code: Int32 = 0
        var message = ""
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            switch field.number {
            case 1: field.read(&code)
            case 2: try field.read(&message)
            default: break
            }
        }
        guard code != 0 else { return nil }
        self.init(Code(rawValue: Int(code)) ?? .unknown, message)
    }

    /// The status as bytes. The error's location is part of its message.
    package var status: [UInt8] {
        var writer = ReverseWriter(capacity: 256)
        writer.body(of: self)
        return writer.array
    }
}

extension ReverseWriter {
    mutating func status(_ number: Int, _ error: FirestoreError) {
        message(number) { $0.body(of: error) }
    }

    mutating func body(of error: FirestoreError) {
        text(2, error.description)
        integer(1, error.code.rawValue)
    }
}
