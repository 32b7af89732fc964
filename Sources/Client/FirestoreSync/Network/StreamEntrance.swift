// SPDX-License-Identifier: Apache-2.0
import FirestoreWire

/// Opens streams, and brings their events to the queue of the engine.
struct StreamEntrance {
    /// Runs a closure on the queue of the engine, after everything posted before.
    typealias Post = @Sendable (@escaping @Sendable (RemoteStreams) -> Void) -> Void

    let transport: any SyncTransport
    private let post: Post
    private let postLater: Post

    /// `post` may return when the closure has run, so that a stream is read no faster. `postLater` returns immediately.
    init(_ transport: any SyncTransport, post: @escaping Post, postLater: @escaping Post) {
        self.transport = transport
        self.post = post
        self.postLater = postLater
    }

    func openListen(_ number: Int) -> any ListenLink {
        transport.openListen { [post] event in post { streams in streams.listenStream(number, event) } }
    }

    /// Opens a Write stream. Events that arrive while the engine stores one are taken together.
    func openWrite(_ number: Int) -> any WriteLink {
        let inbox = WriteStreamInbox(capacity: transport.writeWindow)
        let enter: @Sendable (RemoteStreams) -> Void = { streams in streams.writeStream(number, inbox.take()) }
        return transport.openWrite { [post, postLater] event in
            switch inbox.add(event) {
            case .first: postLater(enter)
            case .further: break
            case .full: post(enter)
            }
        }
    }
}
