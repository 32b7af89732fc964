// SPDX-License-Identifier: Apache-2.0

// A client with a cache, as a child process. Usage:
//
//     SyncCrashWriter write <cache> <address> <run>     writes, prints "saved …" and "acknowledged …", waits to be killed
//     SyncCrashWriter drain <cache> <address>           waits until everything is sent, prints "drained"
//     SyncCrashWriter obey <cache> <address> <project>  does what it reads, line by line, and answers each line with one

import FirestoreCore
import Foundation

let arguments = CommandLine.arguments
guard arguments.count >= 4 else {
    say("usage: SyncCrashWriter write|drain|obey <cache> <address> [run or project]")
    exit(2)
}

let (file, address) = (arguments[2], arguments[3])
switch arguments[1] {
case "write": await WritingRun(name: arguments.count > 4 ? arguments[4] : "0").write(to: file, address)
case "drain": await WritingRun(name: "").drain(file, address)
case "obey": await ObedientRun(try openClient(file, address, project: arguments.count > 4 ? arguments[4] : "crash")).run()
default: exit(2)
}
