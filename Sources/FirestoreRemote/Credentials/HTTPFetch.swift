#if Remote
import FirestoreCore
import Foundation
#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct HTTPRequest: Sendable {
    var url: URL
    var header: (name: String, value: String)
    /// The body of a POST; nil for a GET.
    var posts: String?
}

struct HTTPAnswer: Sendable {
    var status: Int
    var body: [UInt8]
}

/// Why there is no answer. Says nothing of what was asked.
enum HTTPFetchError: Error, CustomStringConvertible {
    case tooLate(Duration)
    case tooLong
    case cancelled
    case failed(String)

    var description: String {
        switch self {
        case .tooLate(let patience): "there was no answer within \(patience)"
        case .tooLong: "the answer is too long to be one"
        case .cancelled: "the request was cancelled"
        case .failed(let reason): reason
        }
    }
}

/// One HTTP request by `URLSession`: its answer bounded in size and in time, and no redirects followed, which would take
/// secrets elsewhere.
final class HTTPFetch: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var status = 0
        var body: [UInt8] = []
        var outcome: Result<HTTPAnswer, HTTPFetchError>?
        var waiter: CheckedContinuation<Result<HTTPAnswer, HTTPFetchError>, Never>?
    }

    private static let mostBytes = 64 << 10
    private let state = Mutex(State())

    static func run(_ question: HTTPRequest, patience: Duration) async throws(HTTPFetchError) -> HTTPAnswer {
        var request = URLRequest(url: question.url)
        request.setValue(question.header.value, forHTTPHeaderField: question.header.name)
        if let text = question.posts {
            request.httpMethod = "POST"
            request.httpBody = Data(text.utf8)
        }
        let fetch = HTTPFetch()
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = patience / .seconds(1)
        configuration.timeoutIntervalForResource = patience / .seconds(1)
        configuration.httpShouldSetCookies = false
        let session = URLSession(configuration: configuration, delegate: fetch, delegateQueue: nil)
        let task = session.dataTask(with: request)
        let timer = Task {
            try? await Task.sleep(for: patience)
            if !Task.isCancelled { fetch.finish(.failure(.tooLate(patience))) }
        }
        task.resume()
        let result = await withTaskCancellationHandler {
            await fetch.outcome()
        } onCancel: {
            fetch.finish(.failure(.cancelled))
        }
        timer.cancel()
        // Never cancelled: a task that is cancelled while it ends takes the process along (FoundationNetworking, "not in the
        // registry"). Nobody waits for it any more, and its own time limit ends it.
        session.finishTasksAndInvalidate()
        return try result.get()
    }

    private func outcome() async -> Result<HTTPAnswer, HTTPFetchError> {
        await withCheckedContinuation { continuation in
            let outcome = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }

    /// The first word is the last.
    private func finish(_ outcome: Result<HTTPAnswer, HTTPFetchError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<HTTPAnswer, HTTPFetchError>, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: outcome)
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
        finish(.success(HTTPAnswer(status: response.statusCode, body: [])))
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        state.withLock { $0.status = status }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = state.withLock { state in
            guard state.body.count + data.count <= Self.mostBytes else { return true }
            state.body.append(contentsOf: data)
            return false
        }
        if isTooLong { finish(.failure(.tooLong)) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            finish(.failure(.failed(Self.reason(error))))
        } else {
            let answer = state.withLock { HTTPAnswer(status: $0.status, body: $0.body) }
            finish(.success(answer))
        }
    }

    /// The library's texts name the URL at most, which is no secret; most say less than the code.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? URLError else { return "\(type(of: error))" }
        return switch error.code {
        case .cannotFindHost: "its name cannot be resolved"
        case .cannotConnectToHost: "it cannot be reached"
        case .timedOut: "there was no answer in time"
        case .networkConnectionLost: "the connection was lost"
        case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot:
            "its certificate is not trusted"
        default: "the request failed (URLError \(error.code.rawValue))"
        }
    }
}
#endif
