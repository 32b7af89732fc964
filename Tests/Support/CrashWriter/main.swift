// SPDX-License-Identifier: Apache-2.0

// A child process for the tests of crashes and locks. Usage:
//
//     CrashWriter write <file> <run>   commits, prints "ack …" for what is acknowledged, waits to be killed
//     CrashWriter open <file>          tries to open, prints what came of it
//     CrashWriter limited <file>       runs into a limit of the file system while committing, then recovers

import FirestoreCore
import FirestoreEngine
import Foundation

let arguments = CommandLine.arguments
guard arguments.count >= 3 else {
    say("usage: CrashWriter write|open|limited <file> [run]")
    exit(2)
}

switch arguments[1] {
case "write": await CrashRun(file: arguments[2], name: arguments.count > 3 ? arguments[3] : "0").write()
case "open": tryToOpen(arguments[2])
case "limited": await LimitedRun(file: arguments[2]).run()
default: exit(2)
}

func tryToOpen(_ file: String) {
    do {
        _ = try Engine.open(configuration(file))
        say("opened")
    } catch {
        say("refused \(error.code) \(error)")
    }
}
