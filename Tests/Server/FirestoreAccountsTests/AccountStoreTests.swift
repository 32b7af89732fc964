// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import FirestoreTokens
import Foundation
import TestSupport
import Testing

@testable import FirestoreAccounts

/// Files that only their owner can read, and that survive a restart.
@Suite(.timeLimit(.minutes(2)))
struct AccountStoreTests {
    private let scratch: ScratchFolder

    init() throws { scratch = try ScratchFolder() }

    private func mode(_ path: String) throws -> Int {
        (try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    @Test func `accounts and sessions survive a restart, in private files`() async throws {
        let folder = try AccountFolder(scratch.file("auth"))
        var (token, id) = ("", "")
        do {
            let accounts = try TestAccounts(.development(project: TestAccounts.project), store: try .open(in: folder, project: TestAccounts.project))
            let signIn = try await accounts.service().signUp(email: "a@b.c", password: "secret1", displayName: "A", linkingTo: nil, from: "x")
            (token, id) = (signIn.refreshToken, signIn.account.id)
            let modes = try scratch.modes(in: "auth")
            #expect(modes.allSatisfy { $0.mode == 0o600 } && modes.count >= 2, "\(modes)")
            #expect(try mode(folder.path) == 0o700)
            // One process at a time.
            #expect(throws: FirestoreError.self) { _ = try AccountStore.open(in: folder, project: TestAccounts.project) }
            let bytes = try modes.flatMap { try scratch.bytes(of: "auth/" + $0.name) }
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(!text.contains("secret1") && !text.contains(token))
        }
        let again = try TestAccounts(.development(project: TestAccounts.project), store: try .open(in: folder, project: TestAccounts.project))
        let refreshed = try await again.service().refresh(token, from: "x")
        #expect(refreshed.account.id == id && refreshed.account.displayName == "A")
        #expect(throws: FirestoreError.self) { _ = try AccountStore.open(in: folder, project: "other") }
    }

    @Test func `the file belongs to one project`() throws {
        let folder = try AccountFolder(scratch.file("auth"))
        do { _ = try AccountStore.open(in: folder, project: "one") }
        let error = #expect(throws: FirestoreError.self) { _ = try AccountStore.open(in: folder, project: "two") }
        #expect(error?.message.contains("project one, not of two") == true)
    }

    @Test func `a folder or key that others can read is rejected`() throws {
        let folder = try AccountFolder(scratch.file("auth"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let open = #expect(throws: FirestoreError.self) { _ = try AccountFolder(folder.path) }
        #expect(open?.code == .permissionDenied)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
        let key = try TestAccounts.key.get()
        let file = try scratch.file("auth/signing-key.pem", key.pem)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        #expect(throws: FirestoreError.self) { _ = try folder.signingKey() }
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let read = try folder.signingKey()
        #expect(read.id == key.id)
    }

    @Test func `a damaged key is rejected with advice`() throws {
        let folder = try AccountFolder(scratch.file("auth"))
        try AccountFolder.write([1, 2, 3], to: folder.file("signing-key.pem"))
        let error = #expect(throws: FirestoreError.self) { _ = try folder.signingKey() }
        #expect(error?.code == .failedPrecondition)
    }
}

extension ScratchFolder {
    fileprivate func modes(in name: String) throws -> [(name: String, mode: Int)] {
        let folder = url.appendingPathComponent(name).path
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            (name, (try FileManager.default.attributesOfItem(atPath: folder + "/" + name)[.posixPermissions] as? NSNumber)?.intValue ?? 0)
        }
    }
}

extension AccountStoreTests {
    @Test func `requests that wait for the file leave the threads of tasks to others`() async throws {
        let store = try AccountStore.openInMemory(project: TestAccounts.project)
        let mayGo = DispatchSemaphore(value: 0)
        async let slow: Void = store.write { _ in mayGo.wait() }
        // Many more than there are threads.
        let reads = (0..<200).map { _ in Task { try await store.read { try $0.count() } } }
        for _ in 0..<200 { await Task.yield() }
        let other = await Task { 1 }.value
        #expect(other == 1)
        mayGo.signal()
        try await slow
        for read in reads { #expect(try await read.value == 0) }
    }
}
