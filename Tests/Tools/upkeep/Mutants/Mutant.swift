import Foundation

/// A small fault in the sources that breaks one numbered rule of Rules.md.
///
/// The files in `Tests/Mutants` describe one after another, separated by blank lines. Each field begins with a word. A
/// line that begins with two spaces continues the field above it, and a line that begins with `#` is a comment.
///
/// ```
/// rule P6
/// fault A DELETE that finds nothing fails.
/// file Sources/LockstepSync/Push/PushDecision.swift
/// expression status == 404
/// becomes false
/// ```
struct Mutant {
    /// The number of the rule: `P6`.
    var rule = ""
    /// What is wrong, in one sentence.
    var fault = ""
    /// The path of the file in the package.
    var file = ""
    var kind = Kind.expression
    /// What the file contains exactly once, apart from the spaces at the beginning of lines.
    var original = ""
    var replacement = ""

    /// What is replaced.
    enum Kind: String {
        /// A complete expression.
        case expression
        /// Complete statements that declare nothing that is used after them.
        case statement
        /// A part of a string literal without escapes and interpolations.
        case text
    }

    /// Where a description is wrong.
    struct Malformed: Error, CustomStringConvertible {
        var description: String
    }

    /// Reads descriptions.
    ///
    /// - Parameter path: The path of the file, for errors.
    /// - Throws: ``Malformed``.
    static func read(_ text: String, path: String) throws -> [Mutant] {
        var mutants: [Mutant] = []
        var field: WritableKeyPath<Mutant, String>?
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            if line.hasPrefix("#") { continue }
            if line.isEmpty {
                field = nil
                continue
            }
            if line.hasPrefix("  "), let field, !mutants.isEmpty {
                mutants[mutants.count - 1][keyPath: field] += "\n" + line.trimmingCharacters(in: .whitespaces)
                continue
            }
            let word = line.prefix { $0 != " " }
            if word == "rule" { mutants.append(Mutant()) }
            guard !mutants.isEmpty, let next = mutants[mutants.count - 1].field(String(word)) else {
                throw Malformed(description: "\(path):\(index + 1): '\(word)' begins no field here.")
            }
            field = next
            mutants[mutants.count - 1][keyPath: next] = line.dropFirst(word.count).trimmingCharacters(in: .whitespaces)
        }
        return mutants
    }

    /// The field that begins with a word.
    private mutating func field(_ word: String) -> WritableKeyPath<Mutant, String>? {
        if let kind = Kind(rawValue: word) {
            self.kind = kind
            return \.original
        }
        switch word {
        case "rule": return \.rule
        case "fault": return \.fault
        case "file": return \.file
        case "becomes": return \.replacement
        default: return nil
        }
    }

    /// Reads all descriptions of a package.
    ///
    /// - Throws: ``Malformed``, or an error of Foundation if a file cannot be read.
    static func all(of package: URL) throws -> [Mutant] {
        let folder = package.appendingPathComponent("Tests/Mutants")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return try files.filter { $0.hasSuffix(".mutants") }.sorted().flatMap { name in
            let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
            return try read(text, path: "Tests/Mutants/\(name)")
        }
    }
}
