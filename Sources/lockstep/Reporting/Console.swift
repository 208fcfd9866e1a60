import Foundation

/// Standard output for data, standard error for everything else.
enum Console {
    static func print(_ text: String) {
        write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: .standardOutput)
    }

    static func report(_ text: String) {
        write(Array((text.hasSuffix("\n") ? text : text + "\n").utf8), to: .standardError)
    }

    /// Whether text may be coloured: standard error is a terminal that does not request plain text
    /// (https://no-color.org).
    static var allowsColour: Bool {
        let environment = ProcessInfo.processInfo.environment
        guard environment["NO_COLOR"]?.isEmpty ?? true, environment["TERM"] != "dumb" else { return false }
        return isatty(STDERR_FILENO) == 1
    }

    /// A reader that has closed its end (`lockstep describe | head`) is not an error.
    private static func write(_ bytes: [UInt8], to handle: FileHandle) {
        try? handle.write(contentsOf: Data(bytes))
    }
}
