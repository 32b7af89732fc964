// SPDX-License-Identifier: Apache-2.0
import FirestoreRPC
import Testing

@testable import hearth

struct ServerAdviceTests {
    // OT-24
    @Test(arguments: [
        ("(default)", "2026-11-26T10:03:27.5Z", "hearth databases clone NEW --at 2026-11-26T10:03:00Z"),
        ("books", "2026-11-26T10:03:00Z", "hearth databases clone NEW --database books --at 2026-11-26T10:03:00Z"),
    ])
    func `a read of the past is answered with the command that clones its minute`(database: String, time: String, command: String) {
        #expect(CommandAdvice.server(.pastRead(database: database, time: time)).contains("`\(command)`"))
    }

    @Test func `what needs an archive names the options of a server, or the commands for files`() {
        #expect(CommandAdvice.server(.archive).contains("--archive"))
        #expect(CommandAdvice.files(.archive).contains("hearth restore"))
        #expect(CommandAdvice.files(.dataDirectory).isEmpty)
    }
}
