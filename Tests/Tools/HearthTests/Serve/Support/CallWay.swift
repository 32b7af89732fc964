// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreWire
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import hearth

/// A way to call a server, on which each looks at the caller's token.
enum CallWay: CaseIterable {
    case unary, rest, listen, write

    static let key = DocumentKey(trusted: "notes/1")

    static func metadata(_ token: String?) -> RPCMetadata {
        RPCMetadata(token.map { [("authorization", "Bearer " + $0)] } ?? [])
    }

    /// The code of the answer to a caller.
    func outcome(_ server: SecuredServer, _ channel: any RPCChannel, token: String?) async -> FirestoreError.Code {
        switch self {
        case .unary: await Self.unary(channel, token)
        case .rest: await Self.rest(server, token)
        case .listen: await Self.ended(Self.listen(channel, token))
        case .write: await Self.ended(Self.write(channel, token))
        }
    }

    private static func unary(_ channel: any RPCChannel, _ token: String?) async -> FirestoreError.Code {
        let request = GetDocumentRequest(database: SecuredServer.database, key: key).encoded()
        do throws(RPCStatus) {
            _ = try await channel.unary(FirestoreMethod.getDocument.path, request, metadata: metadata(token), deadline: nil)
            return .ok
        } catch {
            return error.code
        }
    }

    private static func rest(_ server: SecuredServer, _ token: String?) async -> FirestoreError.Code {
        let answer = await restAnswer(server, token)
        let name = answer.components(separatedBy: "\"status\": \"").dropFirst().first?.prefix { $0 != "\"" }
        switch name {
        case nil: return answer.hasPrefix("HTTP/1.1 200") ? .ok : .unknown
        case "UNAUTHENTICATED"?: return .unauthenticated
        case "PERMISSION_DENIED"?: return .permissionDenied
        default: return .unknown
        }
    }

    /// The answer to a GET of the document, with headers.
    static func restAnswer(_ server: SecuredServer, _ token: String?, _ headers: [String] = []) async -> String {
        let path = "/v1/projects/\(TestIssuer.project)/databases/(default)/documents/\(key.path)"
        var lines = ["GET \(path) HTTP/1.1", "host: 127.0.0.1", "connection: close"] + headers
        if let token { lines.append("authorization: Bearer " + token) }
        return await RawHTTP.ask(server.address, lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// The stream if it lasts, and how it or its target was rejected otherwise.
    typealias Opened = (stream: RawStream, refusal: FirestoreError.Code?)

    private static func ended(_ opened: Opened) -> FirestoreError.Code {
        opened.stream.cancel()
        return opened.refusal ?? .ok
    }

    /// Listens to the document until the first snapshot.
    static func listen(_ channel: any RPCChannel, _ token: String?) async -> Opened {
        let stream = RawStream(channel, .listen, metadata: metadata(token))
        let target = ListenTargetRequest(target: .success(.documents([key])), targetID: 1)
        stream.send(ListenRequest(database: SecuredServer.database, change: .add(target)))
        var refusal: FirestoreError.Code?
        await eventually("a snapshot or a refusal") {
            for message in stream.messages {
                guard case .targetChange(let change)? = try? ListenResponse(decoding: message) else { continue }
                if let cause = change.cause {
                    refusal = cause.code
                    return true
                }
                if change.kind == .current { return true }
            }
            refusal = stream.end
            return refusal != nil
        }
        return (stream, refusal)
    }

    /// Writes the document on a stream, until the first acknowledgement.
    static func write(_ channel: any RPCChannel, _ token: String?) async -> Opened {
        let stream = RawStream(channel, .write, metadata: metadata(token))
        stream.send(WriteRequest(database: SecuredServer.database))
        await stream.until(messages: 1)
        guard let first = stream.messages.first, let response = try? WriteResponse(decoding: first) else { return (stream, stream.end) }
        let write = Write.set(key.path, ("n", .integer(1)))
        stream.send(WriteRequest(database: SecuredServer.database, streamToken: response.streamToken, writes: [write]))
        await stream.until(messages: 2)
        return (stream, stream.messages.count > 1 ? nil : stream.end)
    }
}
