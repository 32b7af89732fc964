// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore

@testable import FirestoreRPC

/// Bytes in pieces, compressed or not. First byte: whether gzip is on; then pieces, each with its length before it.
enum DeframerTarget {
    static func run(_ input: [UInt8]) {
        var reader = InputReader(input)
        var deframer = MessageDeframer(limit: 4096, oversizedCode: .invalidArgument)
        deframer.inflates = reader.byte() & 1 == 1
        while !reader.isAtEnd {
            deframer.append(ByteBuffer(bytes: reader.bytes(Int(reader.byte()))))
            do throws(RPCStatus) {
                while let message = try deframer.next() {
                    precondition(message.count <= 4096, "a message over the limit came out")
                }
            } catch {
                return
            }
            deframer.keepRest()
            precondition(deframer.bufferedCount < 4096 + 5, "more is kept than one message")
        }
    }
}
