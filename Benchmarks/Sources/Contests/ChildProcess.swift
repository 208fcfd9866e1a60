import Foundation

/// What a process of its own measures: this program once more, with other arguments.
public enum ChildProcess {
    /// The numbers that it prints, separated by spaces.
    public static func figures(_ arguments: [String]) throws -> [Double] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let figures = text.split(whereSeparator: \.isWhitespace).map { Double($0) }
        guard process.terminationStatus == 0, !figures.isEmpty, !figures.contains(nil) else {
            fatalError("no figure from \(arguments.joined(separator: " ")): \(text)")
        }
        return figures.compactMap(\.self)
    }
}
