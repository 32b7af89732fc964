// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

/// If standard error cannot be written, the exit code still says what happened.
@Suite(.waitingForProcesses) struct StandardErrorTests {
    static let commands: [(line: String, exitCode: Int32)] = [
        ("types nope --from docs.jsonl", 1), ("schema nope --from docs.jsonl", 1), ("get --data data.sqlite cities/none", 1),
        ("migrate --data data.sqlite nope --remove a", 1), ("migrate --data data.sqlite cities --rename a=a", 2), ("gett cities/SF", 2),
        ("import --data data.sqlite docs.jsonl", 0), ("check none.sqlite", 2), ("query --none", 2), ("get --data data.sqlite cities/SF", 0),
    ]

    @Test(arguments: ["2>&-", "2>/dev/full", "2> >(:)"]) func `a command ends with its exit code if its messages cannot be written`(redirection: String) throws {
        let folder = try ScratchFolder()
        try Data(#"{"path": "cities/SF", "fields": {"n": 1}}"#.utf8).write(to: URL(fileURLWithPath: folder.path + "/docs.jsonl"))
        let fill = try HearthCommand.shell("cd \"$1\" && \"$0\" set --data data.sqlite cities/SF '{\"n\": 1}'", arguments: [folder.path])
        #expect(fill.exitCode == 0, "\(fill.errors)")
        for (line, exitCode) in Self.commands {
            let run = try HearthCommand.shell("cd \"$1\" && \"$0\" \(line) \(redirection)", arguments: [folder.path])
            #expect(run.exitCode == exitCode, "\(line) \(redirection): \(run.exitCode)")
        }
    }
}
