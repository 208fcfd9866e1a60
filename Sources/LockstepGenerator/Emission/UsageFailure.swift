/// An incorrect use of the command line, or a file that cannot be read or written.
package struct UsageFailure: Error {
    /// The problem, its location, and what to do.
    package var message: TerminalText

    package init(message: TerminalText) { self.message = message }
}
