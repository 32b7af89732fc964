// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreRPC
import FirestoreRemote
import FirestoreWire
import TestSupport
import Testing

/// A server that removes a target which the client wants.
@Suite(.timeLimit(.minutes(1)))
struct DroppedTargetTests {
    @Test func `a target that the server removes without a reason is requested again, from the last snapshot`() async throws {
        let channel = HandDrivenChannel()
        let service = RemoteService(channel, database: DatabaseID(projectID: "p"))
        let sink = ModelSink()
        let handle = service.watch(.query(.collection("c")), context: .embedded, sink: sink)
        await eventually("the request") { channel.calls.first?.sent.count == 1 }
        let call = try #require(channel.calls.first)
        func receive(_ kind: TargetChange.Kind, _ targets: [Int32], token: String = "", at time: Int64? = nil) {
            let change = TargetChange(
                kind, targets: targets, resumeToken: ByteSlice(Array(token.utf8)), readTime: time.map { DocumentVersion(microseconds: $0) })
            call.handler.receive(ByteSlice(ListenResponse.targetChange(change).encoded()))
        }
        receive(.add, [2])
        receive(.current, [2], token: "one", at: 10)
        receive(.noChange, [], at: 10)
        await eventually("the first snapshot") { sink.batches == 1 }
        receive(.remove, [2])
        await eventually("the second request") { call.sent.count == 2 }
        guard case .add(let target) = try ListenRequest(decoding: call.sent[1]).change else {
            Issue.record("the second request adds nothing")
            return
        }
        #expect(target.targetID == 2 && target.start == .resumeToken(ByteSlice(Array("one".utf8))))
        #expect(sink.complaints == [])
        handle.cancel()
        await eventually("the end") { call.isCancelled }
    }
}
