// SPDX-License-Identifier: Apache-2.0
import FirestoreCore
import Foundation

/// The files of a new server.
struct InitFiles {
    let place: InitPlace
    let values: InitValues

    /// Makes the files that do not exist. Returns a line about each.
    func make() throws(FirestoreError) -> [String] {
        try makeFolder()
        // What exists makes every later call pass over it: after a failure, the command can be run again.
        var lines = [
            try makeUnlessThere(place.key) { path throws(FirestoreError) in try AdministratorKeyFile.create(path) },
            try makeUnlessThere(place.rules) { path throws(FirestoreError) in
                try NewFile.write(RulesSkeleton.text, to: path, mode: 0o644, ifThere: "run the command again")
            },
            try makeUnlessThere(place.environment) { path throws(FirestoreError) in
                try NewFile.write(
                    EnvironmentFile.text(values.settings(at: place)), to: path, mode: 0o644, ifThere: "run the command again")
            },
        ]
        guard values.quotas else { return lines }
        lines.append(
            try makeUnlessThere(place.quotas) { path throws(FirestoreError) in
                try NewFile.write(QuotaSkeleton.text, to: path, mode: 0o644, ifThere: "run the command again")
            })
        return lines
    }

    private func makeFolder() throws(FirestoreError) {
        do {
            try FileManager.default.createDirectory(atPath: place.folder, withIntermediateDirectories: true)
        } catch {
            throw FirestoreError(.permissionDenied, "the folder cannot be made; check who may write there", at: place.folder, cause: error)
        }
    }

    private func makeUnlessThere(_ path: String, _ make: (String) throws(FirestoreError) -> Void) throws(FirestoreError) -> String {
        // A link that leads nowhere is there, too.
        var status = stat()
        guard lstat(path, &status) != 0 else { return "kept  \(path)" }
        try make(path)
        return "made  \(path)"
    }
}
