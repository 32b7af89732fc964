// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Puts the files of a target that are no sources into its program: `embed-files` writes them into one Swift file.
///
/// The package manager plans anew when a file of the target comes or goes, so the list is never out of date. A script instead of an
/// executable target: that would be compiled and linked in every app that depends on this package, whether it uses the target or not.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        let script = context.package.directoryURL.appending(path: "Plugins/EmbedFiles/embed-files")
        let files = target.sourceFiles.filter { $0.type != .source }.map(\.url).sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding the files of \(target.name)", executable: URL(filePath: "/bin/sh"),
                arguments: [script.path, output.path, target.directoryURL.path] + files.map(\.path), inputFiles: [script] + files,
                outputFiles: [output])
        ]
    }
}
