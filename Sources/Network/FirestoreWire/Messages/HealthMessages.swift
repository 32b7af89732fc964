// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore

/// `grpc.health.v1.HealthCheckRequest`
package struct HealthCheckRequest: WireMessage {
    /// Empty for the server as a whole.
    package var service: String

    package init(service: String) { self.service = service }

    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        service = ""
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { try field.read(&service) }
        }
    }

    package func encoded() -> [UInt8] {
        guard !service.utf8.isEmpty else { return [] }
        var bytes: [UInt8] = [0x0A]
        bytes.appendLengthDelimited(Array(service.utf8))
        return bytes
    }
}

/// `grpc.health.v1.HealthCheckResponse`
package struct HealthCheckResponse: WireMessage {
    package enum Status: Int64, Sendable {
        case unknown = 0, serving, notServing, serviceUnknown
    }

    package var status: Status

    package init(status: Status) { self.status = status }

    package init(decoding bytes: ByteSlice) throws(FirestoreError) {
        var number: Int64 = 0
        var reader = MessageReader(bytes)
        while let field = try reader.next() {
            if field.number == 1 { field.read(&number) }
        }
        status = Status(rawValue: number) ?? .unknown
    }

    package func encoded() -> [UInt8] { status == .unknown ? [] : [0x08, UInt8(truncatingIfNeeded: status.rawValue)] }
}
