import Foundation

/// Standard output for data, standard error for everything else.
enum Console {
    static func print(_ text: String) {
        write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: .standardOutput)
    }

    static func report(_ text: String) {
        write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: .standardError)
    }

    /// Whether text for people may be coloured: standard error is a terminal that does not ask for plain text
    /// (https://no-color.org).
    static var allowsColour: Bool {
        let environment = ProcessInfo.processInfo.environment
        guard environment["NO_COLOR"]?.isEmpty ?? true, environment["TERM"] != "dumb" else { return false }
        return isatty(STDERR_FILENO) == 1
    }

    /// A reader that has gone away (`lockstep describe | head`) is no error of ours.
    private static func write(_ bytes: [UInt8], to handle: FileHandle) {
        try? handle.write(contentsOf: Data(bytes))
    }
}
