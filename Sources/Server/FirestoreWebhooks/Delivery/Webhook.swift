// SPDX-License-Identifier: Apache-2.0
package import FirestoreCore
package import FirestoreEvents
package import FirestoreRPC

/// A receiver of events at a URL.
package struct Webhook: EventReceiver {
    /// A longer answer is cut off.
    private static let maximumAnswer = 64 << 10

    private let webhook: WebhookTrigger
    private let connections: HTTPConnectionPool
    private let clock: any WallClock

    package init(_ webhook: WebhookTrigger, over connections: HTTPConnectionPool, clock: any WallClock = SystemClock()) {
        self.webhook = webhook
        self.connections = connections
        self.clock = clock
    }

    package func deliver(_ delivery: Delivery) async -> DeliveryOutcome {
        let question: HTTPQuestion
        do throws(FirestoreError) {
            question = try self.question(delivery)
        } catch {
            return .failed(DeliveryFailure(answer: "the event cannot be written: \(error)"))
        }
        let answer: HTTPAnswer
        do throws(HTTPFetchError) {
            answer = try await connections.run(question, patience: webhook.timeout)
        } catch {
            if case .cancelled = error { return .cancelled }
            return .failed(DeliveryFailure(answer: error.description))
        }
        return outcome(of: answer)
    }

    func question(_ delivery: Delivery) throws(FirestoreError) -> HTTPQuestion {
        let event = try CloudEvent(delivery.event, of: webhook)
        let url = webhook.url
        var question = HTTPQuestion(
            usesTLS: url.usesTLS, host: url.host, port: url.port, target: url.target,
            header: ("hearth-delivery-attempt", String(delivery.attempt)))
        question.otherHeaders = event.headers
        question.bytes = event.body
        question.maximumBytes = Self.maximumAnswer
        guard !webhook.secrets.isEmpty else { return question }
        let (id, timestamp) = (delivery.event.id, clock.now() / 1_000_000)
        let signatures = webhook.secrets.map { $0.signature(id: id, timestamp: timestamp, body: event.body) }
        question.otherHeaders += [
            ("webhook-id", id), ("webhook-timestamp", String(timestamp)), ("webhook-signature", signatures.joined(separator: " ")),
        ]
        return question
    }

    func outcome(of answer: HTTPAnswer) -> DeliveryOutcome {
        if (200..<300).contains(answer.status) { return .acknowledged }
        var failure = DeliveryFailure(
            status: answer.status, answer: String(decoding: answer.body.prefix(DeliveryFailure.maximumAnswer), as: UTF8.self))
        if answer.status == 410 { return .gone(failure) }
        if (300..<400).contains(answer.status) {
            failure = DeliveryFailure(
                status: answer.status,
                answer: "the receiver redirects, and redirects are not followed; write the new address into the file of triggers")
        }
        failure.retryAfter = answer.header("retry-after").flatMap { RetryAfter.duration($0, now: clock.now()) }
        return .failed(failure)
    }
}
