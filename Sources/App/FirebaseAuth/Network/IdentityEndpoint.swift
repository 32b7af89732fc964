// SPDX-License-Identifier: Apache-2.0
import HearthBase

#if Remote
    import FirestoreCore
    import FirestoreRPC
    import Foundation

    /// The addresses of an accounts server, and one request to it.
    struct IdentityEndpoint: Sendable {
        enum Service: String {
            case accounts = "identitytoolkit.googleapis.com"
            case tokens = "securetoken.googleapis.com"
        }

        /// nil for Google's, which has a host per service. Other servers have a path per service.
        let server: ServerAddress?
        let apiKey: String
        let patience: Duration

        static let google = IdentityEndpoint(server: nil, apiKey: "", patience: .seconds(30))

        static func server(_ address: ServerAddress) -> IdentityEndpoint {
            IdentityEndpoint(server: address, apiKey: "", patience: .seconds(30))
        }

        /// Servers other than Google's accept any key.
        func with(apiKey: String?) -> IdentityEndpoint {
            let key = apiKey.flatMap { $0.isEmpty ? nil : $0 } ?? "hearth"
            return IdentityEndpoint(server: server, apiKey: key, patience: patience)
        }

        /// Sends a body in JSON and returns the answer.
        func post<Answer: Decodable>(
            _ service: Service, _ method: String, _ body: some Encodable, headers: [(name: String, value: String)],
            version: String = "v1"
        ) async throws(AuthFailure) -> Answer {
            let text: String
            do {
                text = String(decoding: try JSONEncoder().encode(body), as: UTF8.self)
            } catch {
                throw AuthFailure(.internalError, "the request \(method) cannot be encoded", cause: error)
            }
            var question = HTTPQuestion(
                usesTLS: server?.usesTLS ?? true, host: server?.host ?? service.rawValue, port: server?.port ?? 443,
                target: target(service, method, version), header: ("Content-Type", "application/json"), posts: text)
            question.otherHeaders = headers
            let answer: HTTPAnswer
            do throws(HTTPFetchError) {
                answer = try await HTTPFetch.run(question, patience: patience)
            } catch {
                throw AuthFailure(.networkError, "the accounts server, \(name(service)), cannot be reached: \(error)", cause: error)
            }
            guard answer.status == 200 else { throw failure(answer, service) }
            do {
                return try JSONDecoder().decode(Answer.self, from: Data(answer.body))
            } catch {
                throw AuthFailure(.internalError, "the answer of \(name(service)) to \(method) cannot be read", cause: error)
            }
        }

        private func target(_ service: Service, _ method: String, _ version: String) -> String {
            let prefix = server.map { "\($0.path)/\(service.rawValue)" } ?? ""
            return "\(prefix)/\(version)/\(method)?key=\(PercentEncoding.encode(apiKey))"
        }

        private func name(_ service: Service) -> String {
            server.map { "\($0.host.contains(":") ? "[\($0.host)]" : $0.host):\($0.port)" } ?? service.rawValue
        }

        // MARK: Errors

        private struct Refusal: Decodable {
            struct Details: Decodable { var message: String? }
            var error: Details?
        }

        private func failure(_ answer: HTTPAnswer, _ service: Service) -> AuthFailure {
            guard let message = (try? JSONDecoder().decode(Refusal.self, from: Data(answer.body)))?.error?.message else {
                let isAway = answer.status >= 500
                return AuthFailure(
                    isAway ? .networkError : .internalError,
                    "\(name(service)) answered with HTTP status \(answer.status); check that it is an accounts server")
            }
            return ServerCode.failure(message, status: answer.status)
        }
    }
#endif
