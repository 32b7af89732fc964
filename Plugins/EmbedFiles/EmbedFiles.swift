// SPDX-License-Identifier: Apache-2.0
import Foundation
import PackagePlugin

/// Puts the files of a target that are no sources into its program: `FileEmbedder` writes them into one Swift file.
///
/// The package manager plans anew when a file of the target comes or goes, so the list is never out of date.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SwiftSourceModuleTarget else { return [] }
        let files = target.sourceFiles.filter { $0.type != .source }.map(\.url).sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding the files of \(target.name)", executable: try context.tool(named: "FileEmbedder").url,
                arguments: [output.path, target.directoryURL.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
