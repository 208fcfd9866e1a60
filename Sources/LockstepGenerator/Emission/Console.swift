import Foundation

/// Standard output for data, standard error for everything else. Both take ``TerminalText``, so that nothing but our
/// own literals breaks a line or commands the terminal.
package enum Console {
    /// Ends the process if the text cannot be written, so that nobody takes an incomplete output for the whole one. A
    /// reader that has closed its end (`lockstep describe | head`) is not an error.
    package static func print(_ text: TerminalText) {
        let reason = write(text.description, to: STDOUT_FILENO)
        guard reason != 0, reason != EPIPE else { return }
        report("error: The output cannot be written: \(String(cString: strerror(reason))).")
        exit(ExitStatus.wrongUse.rawValue)
    }

    /// Nothing reports that this fails.
    package static func report(_ text: TerminalText) {
        _ = write(text.description, to: STDERR_FILENO)
    }

    /// Whether text may be coloured: standard error is a terminal that does not request plain text
    /// (https://no-color.org).
    package static var allowsColour: Bool {
        let environment = ProcessInfo.processInfo.environment
        guard environment["NO_COLOR"]?.isEmpty ?? true, environment["TERM"] != "dumb" else { return false }
        return isatty(STDERR_FILENO) == 1
    }

    /// Writes whole lines.
    ///
    /// - Returns: The system's error (`errno`); 0 if everything was written.
    private static func write(_ text: String, to descriptor: Int32) -> Int32 {
        var bytes = Array((text.hasSuffix("\n") ? text : text + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                let reason = errno
                if reason == EINTR { continue }
                return reason
            }
            bytes = bytes.dropFirst(count)
        }
        return 0
    }
}
