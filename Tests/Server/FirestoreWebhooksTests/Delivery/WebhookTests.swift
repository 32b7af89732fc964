// SPDX-License-Identifier: Apache-2.0
import Crypto
import FirestoreCore
import FirestoreEvents
import FirestoreRPC
import Foundation
import ServerTestSupport
import TestSupport
import Testing

@testable import FirestoreWebhooks

/// What receivers get, and what their answers mean.
@Suite struct WebhookTests {
    private static func deliver(
        to url: String, times: Int = 1, timeout: Duration = .seconds(30), secrets: [WebhookSecret] = [], refusesCloudAddresses: Bool = true
    ) async throws -> [DeliveryOutcome] {
        var trigger = try WebhookTrigger.test(url)
        trigger.timeout = timeout
        trigger.secrets = secrets
        let connections = HTTPConnectionPool(refusesCloudAddresses: refusesCloudAddresses)
        defer { connections.close() }
        let webhook = Webhook(trigger, over: connections, clock: ManualClock(microseconds: 1_614_265_330_000_000))
        var outcomes: [DeliveryOutcome] = []
        for attempt in 1...times {
            outcomes.append(await webhook.deliver(Delivery(number: 1, event: .test("c/1"), attempt: attempt)))
        }
        return outcomes
    }

    private static func outcome(of answer: TestReceiver.Answer, timeout: Duration = .seconds(30)) async throws -> DeliveryOutcome {
        let receiver = TestReceiver { _, _ in answer }
        let outcome = try await deliver(to: try await receiver.start() + "/hook", timeout: timeout)[0]
        await receiver.stop()
        return outcome
    }

    @Test("A receiver gets a POST with the event, and further ones over the same connection")
    func posts() async throws {
        let receiver = TestReceiver()
        let url = try await receiver.start()
        #expect(try await Self.deliver(to: url + "/hook?a=b", times: 3) == [.acknowledged, .acknowledged, .acknowledged])
        #expect(receiver.connections == 1)
        let request = try #require(receiver.requests.first)
        #expect(request.path == "/hook?a=b" && request.header("ce-id") == "id-1" && request.header("host") == String(url.dropFirst(7)))
        #expect(receiver.requests.map { $0.header("hearth-delivery-attempt") } == ["1", "2", "3"])
        #expect(request.body == (try CloudEvent(.test("c/1"), of: try WebhookTrigger.test(url)).body))
        #expect(request.header("webhook-signature") == nil)
        await receiver.stop()
    }

    @Test("A connection that the receiver has closed is replaced")
    func staleConnection() async throws {
        let receiver = TestReceiver { _, number in number == 1 ? .close : .status(204) }
        let outcomes = try await Self.deliver(to: try await receiver.start(), times: 2)
        // The second request was lost with its connection, and was sent again over another one.
        #expect(outcomes == [.acknowledged, .acknowledged])
        #expect(receiver.requests.count == 3 && receiver.connections == 2)
        await receiver.stop()
    }

    // OT-45
    @Test("Answers other than 2xx are failures with the status and the beginning of the answer")
    func failures() async throws {
        let long = String(repeating: "x", count: 5_000)
        let outcome = try await Self.outcome(of: .status(500, headers: [("Retry-After", "120")], body: long))
        #expect(
            outcome == .failed(DeliveryFailure(status: 500, answer: String(repeating: "x", count: 1_024), retryAfter: .seconds(120))))
    }

    // OT-45
    @Test("410 ends the delivery")
    func gone() async throws {
        #expect(try await Self.outcome(of: .status(410, body: "bye")) == .gone(DeliveryFailure(status: 410, answer: "bye")))
    }

    // OT-45
    @Test("A redirect is not followed")
    func redirect() async throws {
        let target = TestReceiver()
        let url = try await target.start()
        let outcome = try await Self.outcome(of: .status(307, headers: [("Location", url)]))
        guard case .failed(let failure) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(failure.status == 307 && failure.answer.contains("redirects are not followed"))
        #expect(target.requests.isEmpty)
        await target.stop()
    }

    // OT-45
    @Test("Of an answer without end the status counts, and the rest is cut off")
    func endless() async throws {
        #expect(try await Self.outcome(of: .endless(200)) == .acknowledged)
        let outcome = try await Self.outcome(of: .endless(500))
        guard case .failed(let failure) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(failure.status == 500 && failure.answer.utf8.count == 1_024)
    }

    // OT-45
    @Test("A receiver that does not answer in time has failed")
    func hanging() async throws {
        let outcome = try await Self.outcome(of: .hang, timeout: .milliseconds(50))
        #expect(outcome == .failed(DeliveryFailure(answer: "there was no answer within 0.05 seconds")))
    }

    // OT-45
    @Test("Where nothing listens, and where the connection is lost, delivery has failed and says why")
    func unreachable() async throws {
        let receiver = TestReceiver()
        let url = try await receiver.start()
        await receiver.stop()
        #expect(try await Self.deliver(to: url) == [.failed(DeliveryFailure(answer: "it cannot be reached"))])
        #expect(try await Self.outcome(of: .close) == .failed(DeliveryFailure(answer: "the connection was lost")))
    }

    // OT-45
    @Test("A receiver without TLS at an address with TLS has failed")
    func noTLS() async throws {
        let receiver = TestReceiver()
        let url = try await receiver.start().replacing("http:", with: "https:")
        let outcome = try await Self.deliver(to: url)[0]
        guard case .failed(let failure) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(failure.status == nil && !failure.answer.isEmpty)
        #expect(receiver.requests.isEmpty)
        await receiver.stop()
    }

    // OT-45
    @Test(
        "A receiver whose certificate is not to be trusted gets nothing, and is tried again",
        arguments: [(false, "its certificate is not trusted"), (true, "its certificate is for another host")])
    func untrusted(isKnown: Bool, reason: String) async throws {
        let folder = try ScratchFolder()
        let files = try TestCertificate.elsewhere.files(in: folder.url)
        let server = RPCServer(configuration: RPCServerConfiguration(tls: files), service: NoMethods())
        let address = try await server.start()
        let connections = HTTPConnectionPool(trust: HTTPTrust(file: isKnown ? files.certificateFile : nil), refusesCloudAddresses: true)
        let webhook = Webhook(try .test("https://localhost:\(address.port)/hook"), over: connections)
        let outcome = await webhook.deliver(Delivery(number: 1, event: .test("c/1"), attempt: 1))
        #expect(outcome == .failed(DeliveryFailure(answer: reason)))
        connections.close()
        await server.shutdown(grace: .zero)
    }

    // OT-45
    @Test(
        "Addresses of cloud metadata are recognized in each spelling and in each form of IPv6 that represents them, and others are not",
        arguments: [
            ("169.254.169.254", true), ("::ffff:169.254.1.1", true), ("fe80::1", true), ("FEBF::1", true), ("169.253.1.1", false),
            ("fe80::1%eth0", true), ("100.100.100.200", true), ("192.0.0.192", true), ("168.63.129.16", true), ("fd00:ec2::254", true),
            ("FD00:0EC2:0:0::254", true), ("fd20:ce::254", true), ("::ffff:100.100.100.200", true), ("::a9fe:a9fe", true),
            ("::ffff:0:169.254.169.254", true), ("64:ff9b::a9fe:a9fe", true), ("64:ff9b::168.63.129.16", true),
            ("64:ff9b:1::192.0.0.192", true), ("64:ff9b:1:a9fe:a9:fe00::", true), ("2002:a9fe:a9fe::1", true),
            ("2002:6464:64c8::", true), ("2001:0:1:2:3:4:5601:5601", true), ("fd00::5efe:169.254.169.254", true),
            ("100.100.100.201", false), ("192.0.0.193", false), ("168.63.129.17", false), ("fd00:ec2::255", false),
            ("64:ff9b::8.8.8.8", false), ("2002:808:808::1", false), ("2001:4860:4860::8888", false), ("::1", false),
            ("10.0.0.1", false), ("fd00::1", false), ("fe8::1", false), ("127.0.0.1", false), ("feb.example.com", false),
        ])
    func linkLocal(_ address: String, _ expected: Bool) {
        #expect(CloudAddress.matches(address) == expected)
    }

    // OT-46
    @Test("A signature is that of Standard Webhooks")
    func signature() throws {
        // The example of the specification.
        let secret = try WebhookSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
        let signature = secret.signature(
            id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: Array("{\"test\": 2432232314}".utf8))
        #expect(signature == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=")
    }

    // OT-46
    @Test("Each secret signs the id, the time and the body; a changed body has another signature")
    func signatures() async throws {
        let secrets = [try WebhookSecret("a secret of some length"), try WebhookSecret("another secret of some length")]
        let receiver = TestReceiver()
        _ = try await Self.deliver(to: try await receiver.start(), secrets: secrets)
        let request = try #require(receiver.requests.first)
        #expect(request.header("webhook-id") == "id-1" && request.header("webhook-timestamp") == "1614265330")
        let found = try #require(request.header("webhook-signature")).split(separator: " ").map(String.init)
        let signed = Array("id-1.1614265330.".utf8) + request.body
        let keys = ["a secret of some length", "another secret of some length"].map { SymmetricKey(data: Array($0.utf8)) }
        #expect(found == keys.map { "v1," + Data(HMAC<SHA256>.authenticationCode(for: signed, using: $0)).base64EncodedString() })
        #expect(!found.contains(secrets[0].signature(id: "id-1", timestamp: 1_614_265_330, body: request.body + [0])))
        await receiver.stop()
    }

    @Test("A secret that is too short, or not base64, is refused", arguments: ["short", "whsec_????", "whsec_QUJD"])
    func badSecrets(_ text: String) throws {
        #expect(throws: FirestoreError.self) { try WebhookSecret(text) }
    }

    @Test(
        "Retry-After is a number of seconds or a date",
        arguments: [
            ("120", 120), (" 0 ", 0), ("99999999", 86_400), ("Thu, 01 Jan 1970 00:02:00 GMT", 20), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("soon", nil), ("-1", nil),
        ] as [(String, Int64?)])
    func retryAfter(_ text: String, _ seconds: Int64?) {
        #expect(RetryAfter.duration(text, now: 100_000_000) == seconds.map { .seconds($0) })
    }
}

private struct NoMethods: RPCService {
    func method(at path: String) -> RPCMethod? { nil }
}
