// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import Foundation

/// A server that stores nothing: every unary call gets back the bytes it sent, every stream too. What it reaches is what
/// `FirestoreRPC` alone costs; `dev/abuse-server` needs nothing else either.
///
/// `EchoServer [PORT]`
@main
struct EchoServer {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let configuration = RPCServerConfiguration(port: arguments.first ?? 0)
        let server = RPCServer(configuration: configuration, service: Echo(), http: EchoPage())
        let address = try await server.start()
        FileHandle.standardOutput.write(Data("listening on \(address)\n".utf8))
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}

private struct Echo: RPCService {
    func method(at path: String) -> RPCMethod? {
        path.hasSuffix("/Chat")
            ? .stream { EchoHandler($0) }
            : .unary { calls in for call in calls { call.respond(.success(call.request.array)) } }
    }
}

private final class EchoHandler: RPCStreamHandler {
    let call: any RPCStreamCall
    init(_ call: any RPCStreamCall) { self.call = call }

    func receive(_ message: ByteSlice) {
        call.send(message.array)
        if !call.isWritable { call.setReading(false) }
    }
    func halfClosed() { call.finish(nil) }
    func becameWritable() { call.setReading(true) }
    func ended(_ status: RPCStatus?) {}
    func drain() { call.finish(RPCStatus(.unavailable, "the server stops")) }
}

private struct EchoPage: HTTPService {
    func handle(_ exchange: any HTTPExchange) {
        exchange.respond(status: 200, headers: RPCMetadata(), body: exchange.request.body.array)
    }
}
