// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FirestoreCore
import FirestoreGateway
import FirestoreRPC
import FirestoreServer
import FirestoreWire

/// The live streams of the console: opens them, shows that they live, ends them.
final class ConsoleStreams: Sendable {
    private struct State {
        var streams: [ObjectIdentifier: ConsoleLiveStream] = [:]
        var timer: (any DispatchSourceTimer)?
        var isStopping = false
    }

    /// One for each tab that is looked at.
    private static let most = 100
    private static let beat = DispatchTimeInterval.seconds(15)

    private let service: FirestoreService
    private let requests: ConsoleRequests
    private let figures: UsageRing
    private let state = Mutex(State())

    init(_ service: FirestoreService, requests: ConsoleRequests, figures: UsageRing) {
        self.service = service
        self.requests = requests
        self.figures = figures
    }

    /// The number of open streams.
    var count: Int { state.withLock { $0.streams.count } }

    /// Answers `POST /console/api/live`. The caller is known to be the console.
    func open(_ exchange: any HTTPExchange) throws(HTTPRefusal) {
        let http = exchange.request
        let body = try RequestBody.decoded(http)
        let request: ConsoleLiveRequest
        do throws(FirestoreError) {
            request = try ConsoleLiveRequest(body)
            if let database = request.database, try !service.databases.exists(database) { throw .noDatabase(database) }
        } catch {
            throw HTTPRefusal(error)
        }
        // The same credentials as this request, and the caller to be.
        var headers = http.headers
        headers.entries.removeAll { equalUTF8($0.name, ConsoleAuthentication.viewAsHeader) }
        if let viewAs = request.viewAs { headers.append(ConsoleAuthentication.viewAsHeader, viewAs) }
        let info = RPCCallInfo(path: FirestoreMethod.listen.path, metadata: headers, peer: http.peer, isPlain: true)
        guard case .stream(let listen)? = service.uncountedMethod(at: info.path) else { throw .nothing(at: http.path) }
        // An error in `as` is an answer, and not the end of a stream.
        do throws(FirestoreError) { _ = try service.identification.identifyNow(info) } catch { throw HTTPRefusal(error) }

        let stream = ConsoleLiveStream(exchange, info: info) { [weak self] in self?.forget($0) }
        try admit(stream)
        stream.start(request.messages, listen)
        subscribe(stream, request)
    }

    /// Topics by name: a topic offers its lines to the stream, or holds them until the stream takes them (`add`), and
    /// passes to `keep` the object that ends the topic.
    private func subscribe(_ stream: ConsoleLiveStream, _ request: ConsoleLiveRequest) {
        if request.topics.contains(.metrics) {
            stream.keep(figures.listen { [weak stream] sample in stream?.offer("metrics", sample) })
        }
        guard request.topics.contains(.requests) else { return }
        let known = request.requestsAfter.flatMap { UInt64(exactly: $0) }
        let page = requests.watch(after: known) { [weak stream] in stream?.hasNews() }
        stream.keep { page.cancel() }
        stream.add { page.take() }
    }

    // MARK: The table

    private func admit(_ stream: ConsoleLiveStream) throws(HTTPRefusal) {
        let refusal: FirestoreError? = state.withLock { state in
            if state.isStopping { return .stopping }
            guard state.streams.count < Self.most else {
                return FirestoreError(.resourceExhausted, "\(Self.most) tabs have a live stream, which is the most; close some")
            }
            state.streams[ObjectIdentifier(stream)] = stream
            if state.timer == nil { state.timer = startTimer() }
            return nil
        }
        if let refusal { throw HTTPRefusal(refusal) }
    }

    private func forget(_ stream: ConsoleLiveStream) {
        state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = nil
            guard state.streams.isEmpty else { return }
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func startTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(queue: .global(qos: .utility))
        timer.schedule(deadline: .now() + Self.beat, repeating: Self.beat, leeway: .seconds(1))
        timer.setEventHandler { [weak self] in self?.beat() }
        timer.resume()
        return timer
    }

    /// Call it every 15 seconds.
    func beat() { for stream in all { stream.beat() } }

    private var all: [ConsoleLiveStream] { state.withLock { Array($0.streams.values) } }

    /// Opens no more streams, and ends those that there are.
    func drain() {
        state.withLock { $0.isStopping = true }
        for stream in all { stream.drain() }
    }
}
