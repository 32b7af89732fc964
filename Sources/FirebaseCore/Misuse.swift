/// Ends the process because a method was called at a time when it must not be: twice, too late, after the end.
///
/// For mistakes in the order of calls only; nothing in data or paths leads here. Not `precondition`, whose message is
/// missing in release builds.
package func endForMisuse(_ message: String) -> Never {
    fatalError(message)
}
