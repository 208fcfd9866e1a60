import Foundation

/// A file of the sources in which faults can be switched on when the program starts: by the number of a rule in the
/// environment variable `LOCKSTEP_MUTANT`.
struct MutatedSource {
    private(set) var text: String

    init(_ text: String) { self.text = text }

    /// Adds the faults, and what switches them on.
    ///
    /// - Throws: ``Mutant/Malformed`` if the file does not contain exactly once what one of them replaces.
    mutating func add(_ mutants: [Mutant]) throws {
        // The ranges are those of the original file, so the last one is replaced first.
        let replacements = try mutants.map { (mutant: $0, range: try range(of: $0)) }
            .sorted { $0.range.lowerBound > $1.range.lowerBound }
        for (mutant, range) in replacements {
            text.replaceSubrange(range, with: mutant.switched(original: text[range]))
        }
        text = Self.head + text + Self.tail
    }

    private func range(of mutant: Mutant) throws -> Range<String.Index> {
        let lines = mutant.original.components(separatedBy: "\n")
        let pattern = lines.map(NSRegularExpression.escapedPattern).joined(separator: "\n[ ]*")
        let found = try Regex(pattern)
        let ranges = text.ranges(of: found)
        guard let range = ranges.first, ranges.count == 1, !mutant.original.isEmpty else {
            throw Mutant.Malformed(
                description: "\(mutant.rule): \(mutant.file) contains this \(ranges.count) times: \(mutant.original)")
        }
        return range
    }

    private static let head = """
        #if canImport(Darwin)
        import Darwin
        #else
        import Glibc
        #endif

        """

    private static let tail = """

        private let theMutant: String? = getenv("LOCKSTEP_MUTANT").map { String(cString: $0) }
        private func isMutant(_ rule: String) -> Bool { theMutant == rule }

        """
}

extension Mutant {
    /// The original and the fault, of which one runs.
    fileprivate func switched(original: Substring) -> String {
        let condition = "isMutant(\"\(rule)\")"
        return switch kind {
        case .expression: "(\(condition) ? (\(replacement)) : (\(original)))"
        case .statement: "if \(condition) { \(replacement) } else { \(original) }"
        case .text: "\\(\(condition) ? \"\(replacement)\" : \"\(original)\")"
        }
    }
}

extension [Mutant] {
    /// Writes the files of a copy of the package in which these faults can be switched on.
    ///
    /// - Throws: ``Mutant/Malformed``, or an error of Foundation if a file cannot be read or written.
    func write(package: URL, to copy: URL) throws {
        for (file, mutants) in Dictionary(grouping: self, by: \.file).sorted(by: { $0.key < $1.key }) {
            var source = MutatedSource(try String(contentsOf: package.appendingPathComponent(file), encoding: .utf8))
            try source.add(mutants)
            // What has not changed is not compiled again.
            let url = copy.appendingPathComponent(file)
            if let present = try? String(contentsOf: url, encoding: .utf8), present == source.text { continue }
            try Data(source.text.utf8).write(to: url, options: .atomic)
        }
    }
}
