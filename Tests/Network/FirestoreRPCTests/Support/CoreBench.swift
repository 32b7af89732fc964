// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import NIOCore
import NIOEmbedded
import NIOHPACK

@testable import FirestoreRPC

/// A server's core on a loop that stands still, with a port that takes notes; calls are answered within the turn.
final class CoreBench {
    let loop = EmbeddedEventLoop()
    let port = RecordingPort()
    let service = EchoService()
    let core: ServerConnection

    init(
        limits: RPCLimits = RPCLimits(), doorkeeper: Doorkeeper? = nil, observer: (any RPCObserver)? = nil, http: any HTTPService = EchoHTTP(),
        budget: MemoryBudget = MemoryBudget(), clients: ProxiedClients? = nil, runOffLoop: @escaping OffLoop = { $0() }
    ) {
        core = ServerConnection(
            eventLoop: loop, service: service, http: http, limits: limits, observer: observer, peer: "test", doorkeeper: doorkeeper, clients: clients,
            budget: budget, port: port, runOffLoop: runOffLoop)
    }

    /// What was said in this turn, by the port and by the journal.
    func turn(_ body: () -> Void) -> [String] {
        let (said, noted) = (port.lines.count, service.journal.lines.count)
        core.beginTurn()
        body()
        core.endTurn()
        return Array(service.journal.lines[noted...]) + port.lines[said...]
    }

    func headers(_ stream: StreamID, _ path: String, end: Bool = false, _ more: [(String, String)] = []) {
        var fields: HPACKHeaders = [":method": "POST", ":scheme": "http", ":path": path, "content-type": "application/grpc"]
        for (name, value) in more { fields.add(name: name, value: value) }
        core.receiveHeaders(stream, fields, end: end)
    }

    func data(_ stream: StreamID, _ bytes: [UInt8], end: Bool = false) {
        core.receiveData(stream, ByteBuffer(bytes: bytes), length: bytes.count, end: end)
    }

    static func framed(_ text: String) -> [UInt8] { Array(ByteBuffer(framing: Array(text.utf8)).readableBytesView) }
}
