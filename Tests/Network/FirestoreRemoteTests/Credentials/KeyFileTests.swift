// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

@testable import FirestoreRemote

/// Errors name invalid key files and what is wrong, without their content; and where key files are looked up.
@Suite(.timeLimit(.minutes(2)))
struct KeyFileTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func surroundings(_ variables: [String: String] = [:]) -> CredentialSurroundings {
        CredentialSurroundings(variables: variables, homeFolder: folder.url.path, clock: ManualClock(microseconds: 0))
    }

    private func without(_ name: String) throws -> String {
        try TestKey.get().file(tokenURI: "https://example.com/token") { $0.removeAll { equalUTF8($0.name, name) } }
    }

    @Test func `an invalid key file is reported with the mistake`() throws {
        let key = try TestKey.get()
        let table: [(text: String, words: [String])] = [
            ("", ["not a key file"]),
            ("secret!", ["not a key file"]),
            ("[]", ["not a key file"]),
            ("{}", ["\"type\" is missing"]),
            (#"{"type": "external_account"}"#, ["external_account", "not supported"]),
            (#"{"type": 7}"#, ["type", "a string is expected"]),
            (try without("client_email"), ["\"client_email\" is missing"]),
            (try without("private_key"), ["\"private_key\" is missing"]),
            (key.file(tokenURI: "https://example.com/token", pem: "secret!"), ["private_key", "PEM"]),
            (key.file(tokenURI: "https://example.com/token", pem: TestKey.tooSmall), ["private_key", "2048"]),
            (key.file(tokenURI: "http://example.com/token"), ["token_uri", "https"]),
            (key.file(tokenURI: "nowhere"), ["token_uri", "https"]),
            (#"{"type": "authorized_user", "client_id": "secret!", "client_secret": "secret!"}"#, ["\"refresh_token\" is missing"]),
        ]
        for row in table {
            let path = try folder.file("key.json", row.text)
            let error = #expect(throws: FirestoreError.self) { _ = try Credentials.file(path).tokenSource(surroundings()) }
            guard let error else { continue }
            #expect(error.code == .invalidArgument && error.location == path, "\(error)")
            for word in row.words { #expect(error.message.contains(word), "\(error.message)") }
            #expect(!error.message.contains("secret!") && !error.message.contains("BEGIN"))
        }
    }

    @Test func `a file that is missing, or a folder, or of the other kind`() throws {
        let missing = #expect(throws: FirestoreError.self) { _ = try Credentials.file("/nowhere/key.json").tokenSource(surroundings()) }
        #expect(missing?.code == .failedPrecondition && missing?.location == "/nowhere/key.json")
        let directory = #expect(throws: FirestoreError.self) { _ = try Credentials.file(folder.url.path).tokenSource(surroundings()) }
        #expect(directory?.location == folder.url.path)
        let account = try folder.file("key.json", TestKey.get().file(tokenURI: "https://example.com/token"))
        let other = #expect(throws: FirestoreError.self) { _ = try Credentials.authorizedUser(file: account).tokenSource(surroundings()) }
        #expect(other?.message.contains(".serviceAccount") == true)
        let user = try folder.file(
            "user.json", #"{"type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c"}"#)
        let another = #expect(throws: FirestoreError.self) { _ = try Credentials.serviceAccount(file: user).tokenSource(surroundings()) }
        #expect(another?.message.contains(".authorizedUser") == true)
    }

    @Test func `the default is the variable's file, then gcloud's, then the metadata server`() throws {
        let account = try folder.file("key.json", TestKey.get().file(tokenURI: "https://example.com/token"))
        let user = #"{"type": "authorized_user", "client_id": "a", "client_secret": "b", "refresh_token": "c"}"#
        func kind(_ variables: [String: String]) throws -> (any TokenFetching)? {
            try Credentials.applicationDefault.tokenSource(surroundings(variables))?.fetcher
        }
        #expect(try kind([:]) is MetadataServerTokens)
        _ = try folder.file(".config/gcloud/application_default_credentials.json", user)
        #expect(try kind([:]) is AuthorizedUserTokens)
        #expect(try kind(["CLOUDSDK_CONFIG": "/nowhere"]) is MetadataServerTokens)
        #expect(try kind(["GOOGLE_APPLICATION_CREDENTIALS": account]) is ServiceAccountTokens)
        #expect(try kind(["GOOGLE_APPLICATION_CREDENTIALS": ""]) is AuthorizedUserTokens)
        // One that is named has to be there.
        let missing = #expect(throws: FirestoreError.self) { _ = try kind(["GOOGLE_APPLICATION_CREDENTIALS": "/nowhere"]) }
        #expect(missing?.location == "/nowhere")
        #expect(Credentials.applicationDefault.projectID(surroundings(["GOOGLE_APPLICATION_CREDENTIALS": account])) == "demo-keys")
        #expect(Credentials.applicationDefault.projectID(surroundings()) == nil)
        #expect(Credentials.file("/nowhere").projectID(surroundings()) == nil)
    }

    @Test func `missing credentials are reported with advice`() async throws {
        // A host that does not exist, as everywhere except on Google Cloud.
        let endpoint = TokenEndpoint(clock: ManualClock(microseconds: 0), patience: .milliseconds(1))
        let tokens = try MetadataServerTokens(surroundings(), endpoint, isGuess: true)
        let error = await failure { try await tokens.fetch() }
        #expect(error?.code == .unauthenticated && error?.message.contains("gcloud auth application-default login") == true)
    }

    @Test func `a caller that needs no token has none`() throws {
        #expect(try Credentials.none.tokenSource(surroundings()) == nil)
        #expect(try Credentials.emulatorOwner.tokenSource(surroundings()) == nil)
    }
}
