// SPDX-License-Identifier: Apache-2.0
import NIOHPACK

/// The header fields that determine how a request is handled, found in one walk, and all others as metadata.
struct RequestHead {
    var method = ""
    var path = ""
    var authority: String?
    var hosts: [String] = []
    var origins: [String] = []
    /// Whether a proxy says whom it has forwarded the request for.
    var isForwarded = false
    var contentType: String?
    var encoding: String?
    var timeout: String?
    var metadata = RPCMetadata()

    init(_ headers: HPACKHeaders) {
        metadata.entries.reserveCapacity(headers.count)
        for (name, value, _) in headers {
            switch name {
            case ":method": method = value
            case ":path": path = value
            case ":authority": authority = value
            case ":scheme": break
            case "content-type":
                contentType = value
                metadata.append(name, value)
            case "grpc-encoding": encoding = value
            case "grpc-timeout": timeout = value
            case "te", "grpc-accept-encoding": break
            case "host":
                hosts.append(value)
                metadata.append(name, value)
            case "origin":
                origins.append(value)
                metadata.append(name, value)
            case "forwarded", "x-forwarded-for":
                isForwarded = true
                metadata.append(name, value)
            default: metadata.append(name, value)
            }
        }
    }

    /// The destination of the request, `:authority` first.
    func origin(isEncrypted: Bool) -> RequestOrigin {
        let path = path.utf8.contains(UInt8(ascii: "?")) ? RequestTarget.parse(path).path : path
        return RequestOrigin(
            hosts: (authority.map { [$0] } ?? []) + hosts, origins: origins, path: path, isEncrypted: isEncrypted, isForwarded: isForwarded)
    }

    var isGRPC: Bool { contentType?.utf8.starts(with: Self.grpc) ?? false }

    /// `application/grpc`, `application/grpc+proto`, `application/grpc;…`: not `application/grpc-web`.
    var isSupportedGRPC: Bool {
        guard let type = contentType?.utf8, type.starts(with: Self.grpc) else { return false }
        return switch type.dropFirst(Self.grpc.count).first {
        case nil, UInt8(ascii: "+"), UInt8(ascii: ";"), UInt8(ascii: " "): true
        default: false
        }
    }

    private static let grpc = Array("application/grpc".utf8)
}
