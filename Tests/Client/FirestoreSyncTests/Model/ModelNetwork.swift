// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreWire

@testable import FirestoreSync

/// One connection: requests and frames that wait until the history moves them.
///
/// `@unchecked Sendable`: used on the thread of its test only, like everything in a history.
final class ModelListenLink: ListenLink, @unchecked Sendable {
    let session: ModelListenSession
    private let receive: @Sendable (ListenStreamEvent) -> Void
    var requests: [ListenRequest] = []
    var frames: [ListenStreamEvent] = []
    private(set) var isOpen = true

    init(_ server: ModelServer, _ receive: @escaping @Sendable (ListenStreamEvent) -> Void) {
        session = ModelListenSession(server)
        self.receive = receive
    }

    func send(_ request: ListenRequest) { if isOpen { requests.append(request) } }

    func close() {
        isOpen = false
        requests = []
        frames = []
    }

    func deliver() -> Bool {
        guard isOpen, !frames.isEmpty else { return false }
        let frame = frames.removeFirst()
        if case .ended = frame { isOpen = false }
        receive(frame)
        return true
    }

    func lose(_ error: FirestoreError) {
        guard isOpen else { return }
        close()
        receive(.ended(error))
    }
}

/// `@unchecked Sendable`: used on the thread of its test only, like everything in a history.
final class ModelWriteLink: WriteLink, @unchecked Sendable {
    let session: ModelWriteSession
    private let receive: @Sendable (WriteStreamEvent) -> Void
    /// What the server may still receive after the client has given up the connection.
    var requests: [WriteRequest] = []
    var frames: [WriteStreamEvent] = []
    private(set) var isOpen = true

    init(_ server: ModelServer, _ receive: @escaping @Sendable (WriteStreamEvent) -> Void) {
        session = ModelWriteSession(server)
        self.receive = receive
    }

    func send(_ request: WriteRequest) { if isOpen { requests.append(request) } }

    func close() {
        isOpen = false
        frames = []
    }

    func deliver() -> Bool {
        guard isOpen, !frames.isEmpty else { return false }
        let frame = frames.removeFirst()
        if case .ended = frame { isOpen = false }
        receive(frame)
        return true
    }

    func lose(_ error: FirestoreError) {
        guard isOpen else { return }
        close()
        receive(.ended(error))
    }
}

/// The connections of one client to the server of its history.
///
/// `@unchecked Sendable`: used on the thread of its test only, like everything in a history.
final class ModelTransport: SyncTransport, @unchecked Sendable {
    let writeWindow: Int
    let resumesWriteStreams = true
    private let server: ModelServer
    private(set) var listenLink: ModelListenLink?
    private(set) var writeLink: ModelWriteLink?
    /// Connections that were given up with requests in flight.
    var lateLinks: [ModelWriteLink] = []

    init(_ server: ModelServer, writeWindow: Int) {
        self.server = server
        self.writeWindow = writeWindow
    }

    func openListen(_ receive: @escaping @Sendable (ListenStreamEvent) -> Void) -> any ListenLink {
        if listenLink?.isOpen == true { server.violations.append("a second Listen stream was opened beside the first") }
        let link = ModelListenLink(server, receive)
        listenLink = link
        return link
    }

    func openWrite(_ receive: @escaping @Sendable (WriteStreamEvent) -> Void) -> any WriteLink {
        if writeLink?.isOpen == true { server.violations.append("a second Write stream was opened beside the first") }
        if let writeLink, !writeLink.requests.isEmpty { lateLinks.append(writeLink) }
        let link = ModelWriteLink(server, receive)
        writeLink = link
        return link
    }

    func invalidateCredentials() {}

    /// The process of the client is gone.
    func closeAll() {
        listenLink?.close()
        writeLink?.close()
        if let writeLink, !writeLink.requests.isEmpty { lateLinks.append(writeLink) }
    }
}

/// The queue of an engine. `@unchecked Sendable`: used on the thread of its test only.
final class ModelQueue: @unchecked Sendable {
    private var jobs: [@Sendable (SyncEngine) -> Void] = []

    func post(_ job: @escaping @Sendable (SyncEngine) -> Void) { jobs.append(job) }

    func removeFirst() -> (@Sendable (SyncEngine) -> Void)? { jobs.isEmpty ? nil : jobs.removeFirst() }
}

/// Time that a history moves. `@unchecked Sendable`: used on the thread of its test only.
final class ModelTimers: SyncTimers, @unchecked Sendable {
    private(set) var now: Duration = .zero
    private var waiting: [SyncTimer: Duration] = [:]

    func start(_ timer: SyncTimer, after delay: Duration) { waiting[timer] = now + delay }
    func cancel(_ timer: SyncTimer) { waiting[timer] = nil }
    func cancelAll() { waiting = [:] }

    func pass(_ time: Duration) { now += time }

    /// The timers in the order of their times.
    var due: [SyncTimer] {
        waiting.sorted { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") }.map(\.key)
    }

    /// Moves the clock to a timer.
    func take(_ timer: SyncTimer) -> Bool {
        guard let time = waiting.removeValue(forKey: timer) else { return false }
        now = max(now, time)
        return true
    }
}
