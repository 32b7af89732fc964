// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

enum OutputFormat: String, ExpressibleByArgument, CaseIterable {
    /// For reading.
    case pretty
    /// One JSON text.
    case json
    /// A JSON object per line.
    case jsonl
    case table
}

enum ColorChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The format of results: the same options for all commands.
struct OutputOptions: ParsableArguments {
    @Option(name: [.customShort("o"), .long], help: "The format of results. (default: pretty on a terminal, jsonl otherwise)")
    var output: OutputFormat?

    @Option(help: "When to use colours; auto: on a terminal, unless NO_COLOR is set.")
    var color: ColorChoice = .auto

    /// `usual`: the format if the options name none, for results of one word, which are usually wanted bare.
    func format(on terminal: Terminal, usual: OutputFormat? = nil) -> OutputFormat {
        output ?? usual ?? (terminal.isInteractive ? .pretty : .jsonl)
    }
}
