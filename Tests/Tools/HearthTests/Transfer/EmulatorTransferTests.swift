// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation
import TestSupport
import Testing

/// The official emulator imports what `hearth export` writes, and the other way round; both are servers for either command.
@Suite(.waitingForProcesses) struct EmulatorTransferTests {
    private static let jar: String? = {
        let found = try? HearthCommand.shell("command -v java > /dev/null && dpkg -L google-cloud-cli-firestore-emulator 2> /dev/null | grep '/cloud-firestore-emulator.jar$'")
        return found?.output.split(separator: "\n").first.map(String.init)
    }()

    /// The shell goes through it step by step and ends the emulator it has started.
    private static let script = """
        set -u
        cd "$1"; jar=$2; fixtures=$3; hearth=$0
        port=$((20000 + RANDOM % 20000))
        say() { echo "$@"; }
        "$hearth" import --quiet --data a.sqlite --project demo-export "$fixtures/emulator-default" || exit 1
        "$hearth" export --quiet --data a.sqlite a.jsonl
        "$hearth" export --quiet --data a.sqlite --format emulator ours
        java -cp "$jar" com.google.cloud.datastore.emulator.firestore.CloudFirestore start --host=127.0.0.1 --port=$port \\
            --seed_from_export="$PWD/ours/firestore_export.overall_export_metadata" > emulator.log 2>&1 &
        emulator=$!
        trap 'kill $emulator' EXIT
        for try in $(seq 1 600); do (exec 3<> /dev/tcp/127.0.0.1/$port) 2> /dev/null && break; sleep 0.1; done
        at="--server 127.0.0.1:$port --project demo-export"
        "$hearth" export --quiet $at seeded.jsonl
        cmp a.jsonl seeded.jsonl && say "the emulator imports ours"
        "$hearth" import --quiet $at --collection added --id-field id - <<< '{"id": "x", "n": 1}'
        "$hearth" export --quiet $at b.jsonl
        curl -s -X POST "http://127.0.0.1:$port/emulator/v1/projects/demo-export:export" -H 'content-type: application/json' -o answer \\
            -d '{"database": "projects/demo-export/databases/(default)", "export_directory": "'"$PWD"'", "export_name": "theirs"}'
        "$hearth" import --quiet --data b.sqlite --project demo-export theirs
        "$hearth" export --quiet --data b.sqlite c.jsonl
        cmp b.jsonl c.jsonl && say "we import the emulator's"
        [ $(wc -l < c.jsonl) = $(( $(wc -l < a.jsonl) + 1 )) ] && say "with what was added"
        """

    @Test func `the emulator imports Hearth's exports, and Hearth the emulator's`() throws {
        guard let jar = Self.jar else {
            print("skipped: the official emulator is not here (Debian package google-cloud-cli-firestore-emulator, and Java)")
            return
        }
        let folder = NSTemporaryDirectory() + "hearth-emulator-" + AutoID.make()
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let fixtures = repositoryRoot.appendingPathComponent("Tests/Tools/FirestoreTransferTests/Fixtures").path
        let run = try HearthCommand.shell(Self.script, arguments: [folder, jar, fixtures])
        #expect(run.output == "the emulator imports ours\nwe import the emulator's\nwith what was added\n", "\(run)")
    }
}
