// SPDX-License-Identifier: Apache-2.0
import FirestoreArchive
import FirestoreCore
import Foundation

/// Carries out calls that come as lines of JSON, and answers each with a line: the door of the tests in Python (`Tests/Clients/archive`).
///
/// The arguments are a place and optionally an endpoint; credentials and region come from the environment.
@main
struct ArchiveCaller {
    /// A call. Bytes are in base64.
    struct Call: Decodable {
        var call: String
        var name: String?
        var bytes: Data?
        var prefix: String?
        var after: String?
        var limit: Int?
        var request: SigningCall?
    }

    /// An answer. Only the members of the call's result are set.
    struct Answer: Encodable {
        var stored: Bool?
        var isThere: Bool?
        var bytes: Data?
        var objects: [[String]]?
        var headers: [String: String]?
        var target: String?
        var error: String?
        var message: String?
    }

    static func main() async {
        let arguments = CommandLine.arguments
        do {
            let store = arguments.count > 1 ? try open(arguments[1], endpoint: arguments.count > 2 ? arguments[2] : nil) : nil
            while let line = readLine() {
                let call = try JSONDecoder().decode(Call.self, from: Data(line.utf8))
                print(String(decoding: try JSONEncoder().encode(await answer(call, store)), as: UTF8.self))
                fflush(nil)
            }
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static func open(_ place: String, endpoint: String?) throws(FirestoreError) -> any ArchiveStore {
        var settings = ArchiveSettings(environment: ProcessInfo.processInfo.environment)
        settings.endpoint = endpoint
        settings.credentialsFile = settings.environment["ARCHIVE_CREDENTIALS"]
        settings.keyFile = settings.environment["ARCHIVE_KEY"]
        settings.backoff = Backoff(first: .milliseconds(10), factor: 2, longest: .milliseconds(100))
        return try ArchivePlace(place).open(settings)
    }

    private static func answer(_ call: Call, _ store: (any ArchiveStore)?) async -> Answer {
        if let request = call.request { return request.answer }
        guard let store else { return Answer(message: "a place is needed") }
        do throws(FirestoreError) {
            return try await answer(call, of: store)
        } catch {
            return Answer(error: "\(error.code)", message: error.description)
        }
    }

    private static func answer(_ call: Call, of store: any ArchiveStore) async throws(FirestoreError) -> Answer {
        let name = call.name ?? ""
        switch call.call {
        case "put": return Answer(stored: try await store.put(name, [UInt8](call.bytes ?? Data())))
        case "get":
            let bytes = try await store.get(name)
            return Answer(isThere: bytes != nil, bytes: bytes.map { Data($0) })
        case "list":
            let objects = try await store.list(call.prefix ?? "", after: call.after, limit: call.limit ?? .max)
            return Answer(objects: objects.map { [$0.name, "\($0.size)"] })
        case "delete":
            try await store.delete(name)
            return Answer()
        case "check":
            try await store.checkContract(in: name)
            return Answer()
        default: return Answer(message: "there is no such call")
        }
    }
}
