/// Encoding and decoding user types, against Foundation's JSON coders.
enum CodecCases {
    static var all: [BenchmarkCase] { [] }
}
