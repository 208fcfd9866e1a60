public import Foundation

/// The pages of the project, and their Swift. A snippet is on a page and between `// snippet` and `// end` in a test;
/// a test compares them, so that neither changes without the other.
public enum Documentation {
    public static let root = (1...4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// README.md, the skill and every page of the catalogues, by their paths from ``root``.
    public static let pages: [String] = {
        func names(in folder: String) -> [String] {
            let contents = try? FileManager.default.contentsOfDirectory(
                atPath: root.appendingPathComponent(folder).path)
            return (contents ?? []).sorted()
        }
        let catalogues = names(in: "Sources").map { "Sources/\($0)/\($0).docc" }
        return ["README.md", "skills/lockstep/SKILL.md"]
            + catalogues.flatMap { folder in
                names(in: folder).filter { $0.hasSuffix(".md") }.map { "\(folder)/\($0)" }
            }
    }()

    public static func text(of path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The page with this name, of any module.
    public static func page(_ name: String) throws -> String {
        guard let path = pages.first(where: { $0.hasSuffix("/\(name).md") }) else {
            throw CocoaError(.fileNoSuchFile, userInfo: [NSFilePathErrorKey: name])
        }
        return try text(of: path)
    }

    /// The lines between the markers in the tests, without their common indentation.
    public static func compiled() throws -> Set<String> {
        func contents(of folder: URL) throws -> [URL] {
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }
        let targets = try ["Suites", "Samples"].flatMap {
            try contents(of: root.appendingPathComponent("Tests/\($0)"))
        }
        let files = targets.flatMap { (try? contents(of: $0.appendingPathComponent("Documentation"))) ?? [] }
        return Set(
            try files.flatMap { blocks(try String(contentsOf: $0, encoding: .utf8), from: "// snippet", to: "// end") })
    }

    /// The blocks of code of a language on a page.
    public static func code(_ language: String, in page: String) -> [String] {
        blocks(page, from: "```\(language)", to: "```")
    }

    /// The blocks of a language in a text, as files: with a line break at the end. `""` is for blocks without a language.
    public static func files(_ language: String, in text: String) -> [String] {
        text.components(separatedBy: "\n```\(language)\n").dropFirst().compactMap { part in
            part.components(separatedBy: "\n```").first.map { $0 + "\n" }
        }
    }

    private static func blocks(_ text: String, from start: String, to end: String) -> [String] {
        var blocks: [String] = []
        var current: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if let lines = current {
                current = trimmed == end ? nil : lines + [line]
                if trimmed == end { blocks.append(unindented(lines)) }
            } else if trimmed == start {
                current = []
            }
        }
        return blocks
    }

    private static func unindented(_ lines: [Substring]) -> String {
        let indentation = lines.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
        return lines.map { $0.isEmpty ? "" : String($0.dropFirst(indentation)) }.joined(separator: "\n")
    }
}
