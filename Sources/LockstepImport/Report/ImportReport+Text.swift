import LockstepJSON

extension ImportReport {
    /// The most lines of a report that is not complete.
    private static let lineLimit = 150

    /// The report as text. Notes that say the same of several subjects are one note. Of a long report, only the first
    /// notes of each kind are in it, unless it is complete.
    ///
    /// - Parameters:
    ///   - output: The file that was written.
    ///   - isComplete: Whether it has all notes.
    package func text(_ output: String, isComplete: Bool = false) -> String {
        let head =
            "\(output): \(count(counts.entities, one: "entity", many: "entities")), "
            + "\(count(counts.attributes, one: "attribute", many: "attributes")), "
            + count(counts.relationships, one: "relationship", many: "relationships")
        var page = page(isComplete: isComplete) { group in
            let note = group.first
            let text = group.text(isComplete: isComplete)
            var lines = ["  \(note.location.map { "\($0): " } ?? "")\(text)"]
            if let others = group.others(isComplete: isComplete) { lines.append("      Also: \(others)") }
            if let help = note.help { lines.append("      \(help)") }
            return lines
        }
        if page.isShort {
            page.lines += ["", "The comments of \(output) have all notes. With --verbose, the report has them, too."]
        }
        return "\(TerminalText(lines: [head] + page.lines))\n"
    }

    /// The report as comments of the schema, without locations in the source.
    ///
    /// - Returns: The comments before the schema and, if these are not all, those after it.
    var comments: (first: [String], last: [String]) {
        var report = self
        report.removeNotes { $0.kind == .ignored }
        let page = report.page(isComplete: false) { Self.comment($0, isComplete: false) }
        if !page.isShort { return (page.lines, []) }
        let all = report.page(isComplete: true) { Self.comment($0, isComplete: true) }
        return (page.lines + ["", "The end of this file has all notes."], all.lines)
    }

    private static func comment(_ group: ImportNoteGroup, isComplete: Bool) -> [String] {
        let others = group.others(isComplete: isComplete).map { "  Also: \(printable($0))" }
        return ["- \(printable(group.text(isComplete: isComplete)))"] + [others].compactMap(\.self)
    }

    // MARK: Pages

    private struct Page {
        var lines: [String] = []
        /// Whether notes are left out.
        var isShort = false
    }

    private struct Section {
        let title: String
        let groups: [(group: ImportNoteGroup, lines: [String])]

        /// The lines with so many notes of each pattern.
        func lines(limit: Int) -> [String] {
            var lines = ["", title]
            var counts: [String: Int] = [:]
            for (group, own) in groups {
                let count = counts[group.pattern, default: 0]
                counts[group.pattern] = count + 1
                if count < limit { lines += own }
            }
            let rest = counts.values.reduce(0) { $0 + max(0, $1 - limit) }
            return rest == 0 ? lines : lines + ["  and \(rest) more, each like one of these"]
        }
    }

    /// The notes of each kind below its title, with as many notes of one pattern as the limit allows.
    private func page(isComplete: Bool, lines: (ImportNoteGroup) -> [String]) -> Page {
        let sections = ImportNote.Kind.titles.compactMap { kind, title -> Section? in
            let groups = ImportNoteGroup.groups(notes.filter { $0.kind == kind })
            return groups.isEmpty ? nil : Section(title: title, groups: groups.map { ($0, lines($0)) })
        }
        let isCut = !isComplete && sections.contains { $0.groups.contains { $0.group.isShort } }
        for limit in isComplete ? [.max] : [Int.max, 10, 3, 1] {
            let lines = sections.flatMap { $0.lines(limit: limit) }
            if isComplete || lines.count <= Self.lineLimit { return Page(lines: lines, isShort: isCut || limit < .max) }
        }
        let share = Self.lineLimit / max(sections.count, 1)
        let lines = sections.map { $0.lines(limit: 1) }
        return Page(
            lines: lines.flatMap { $0.count <= share ? $0 : $0.prefix(share - 1) + ["  and more"] }, isShort: true)
    }

    private func count(_ number: Int, one: String, many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }

    /// Returns a text with a space for each character that YAML does not allow in a line.
    private static func printable(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    // YAML allows a byte order mark at the beginning of a file only.
                    if scalar == "\u{FEFF}" { return " " }
                    return switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: " "
                    default: scalar
                    }
                }))
    }
}
