#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The options of a command, each `--name value`.
public struct CommandArguments {
    private let values: [String: String]
    private let usage: String

    /// Reads `arguments` without the program's name; ends the process with `usage` and code 2 where they make no sense.
    public init(_ arguments: some Sequence<String>, allowed: Set<String>, usage: String) {
        var values: [String: String] = [:]
        var iterator = arguments.makeIterator()
        while let name = iterator.next() {
            guard name.hasPrefix("--"), allowed.contains(String(name.dropFirst(2))), let value = iterator.next()
            else { Self.end("cannot read '\(name)'", usage) }
            values[String(name.dropFirst(2))] = value
        }
        self.values = values
        self.usage = usage
    }

    /// Whether an option was given.
    public func has(_ name: String) -> Bool {
        values[name] != nil
    }

    /// The value of an option; ends the process if it was not given.
    public func required(_ name: String) -> String {
        guard let value = values[name] else { Self.end("--\(name) is missing", usage) }
        return value
    }

    /// The value of an option, or `default`.
    public func text(_ name: String, default defaultValue: String) -> String {
        values[name] ?? defaultValue
    }

    /// The number that an option gives, or `default`; ends the process if it is none or below `minimum`.
    public func number(_ name: String, default defaultValue: Int, minimum: Int = 1) -> Int {
        guard let text = values[name] else { return defaultValue }
        guard let number = Int(text), number >= minimum
        else { Self.end("--\(name) '\(text)' is no such number", usage) }
        return number
    }

    /// What an option names, or `default`; ends the process if it names none of `values`.
    public func choice<Value>(_ name: String, default defaultName: String, of values: [String: Value]) -> Value {
        let text = text(name, default: defaultName)
        guard let value = values[text] else { Self.end("--\(name) '\(text)' is none of them", usage) }
        return value
    }

    private static func end(_ problem: String, _ usage: String) -> Never {
        StandardError.print("error: \(problem)\nusage: \(usage)")
        exit(2)
    }
}

/// Standard error, without Foundation: what loads it needs more memory than a floor, and a child is never told to have
/// needed less than the process that started it.
public enum StandardError {
    public static func print(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(2, bytes, bytes.count)
    }
}
