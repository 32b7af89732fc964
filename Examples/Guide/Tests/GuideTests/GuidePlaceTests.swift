// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Guide

struct GuidePlaceTests {
    @Test(arguments: [
        (["server"], [:], GuidePlace.server(host: "127.0.0.1", port: 8080)),
        (["server", "localhost:9"], ["FIRESTORE_EMULATOR_HOST": "other:1"], .server(host: "localhost", port: 9)),
        (["emulator"], ["FIRESTORE_EMULATOR_HOST": "other:1"], .emulator(host: "other", port: 1)),
        (["emulator"], ["FIRESTORE_EMULATOR_HOST": ""], .emulator(host: "127.0.0.1", port: 8080)),
    ])
    func `an argument names the location`(arguments: [String], environment: [String: String], expected: GuidePlace) throws {
        #expect(try GuidePlace(arguments: arguments, environment: environment) == expected)
    }

    @Test func `without an argument it is a new file`() throws {
        for arguments in [[], ["embedded"]] {
            let place = try GuidePlace(arguments: arguments, environment: ["FIRESTORE_EMULATOR_HOST": "other:1"])
            guard case .file(let file) = place else {
                Issue.record("\(place)")
                continue
            }
            try FileManager.default.removeItem(at: file.deletingLastPathComponent())
        }
    }

    @Test(arguments: [["cloud"], ["server", "host"], ["server", ":1"], ["server", "a:b"], ["embedded", "a:1"], ["server", "a:1", "b"]])
    func `anything else is not understood`(arguments: [String]) {
        #expect(throws: GuidePlace.Misunderstood.self) { try GuidePlace(arguments: arguments, environment: [:]) }
    }
}
