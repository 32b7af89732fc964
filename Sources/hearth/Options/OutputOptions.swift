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

/// How results look: the same options for all commands.
struct OutputOptions: ParsableArguments {
    @Option(name: [.customShort("o"), .long], help: "How results look. (default: pretty on a terminal, jsonl otherwise)")
    var output: OutputFormat?

    @Option(help: "Colours; auto: on a terminal, unless NO_COLOR is set.")
    var color: ColorChoice = .auto

    /// `usual` where nothing is said: for results of one word, which everyone wants bare.
    func format(on terminal: Terminal, usual: OutputFormat? = nil) -> OutputFormat {
        output ?? usual ?? (terminal.isInteractive ? .pretty : .jsonl)
    }
}
