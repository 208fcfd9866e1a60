import LockstepJSON

extension ImportReport {
    /// The most lines of a report that is not complete, with its first and last lines.
    private static let lineLimit = 150
    /// The lines before the notes, in the report or in the schema, and those after the notes if it is shortened.
    private static let (headLength, footLength) = (2, 2)

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
        var page = Self.page(groups, isComplete: isComplete) { group in
            let note = group.first
            let text = group.text(isComplete: isComplete)
            var lines = ["  \(note.location.map { "\($0): " } ?? "")\(text)"]
            if let others = group.others(isComplete: isComplete, hasPlaces: isComplete) {
                lines.append("      Also: \(others)")
            }
            if let help = note.help { lines.append("      \(help)") }
            return lines
        }
        if page.isShort {
            page.lines += [
                "",
                "This report is shortened. Run the command again with `--verbose` and `--output` to print all notes.",
            ]
        }
        return "\(TerminalText(lines: [head] + page.lines))\n"
    }

    /// The report as comments of the schema, without locations in the source.
    ///
    /// - Returns: The comments before the schema and, if these are not all, those after it.
    var comments: (first: [String], last: [String]) {
        var report = self
        report.removeNotes { $0.kind == .ignored }
        let groups = report.groups
        let page = Self.page(groups, isComplete: false) { Self.comment($0, isComplete: false) }
        if !page.isShort { return (page.lines, []) }
        let all = Self.page(groups, isComplete: true) { Self.comment($0, isComplete: true) }
        let foot = "The end of this file lists everything that was decided or not imported."
        return (page.lines + ["", foot], all.lines)
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

        /// The lines with so many notes of each pattern, and at most so many lines.
        func lines(limit: Int, space: Int = .max) -> [String] {
            var lines = ["", title]
            if limit == .max { return lines + groups.flatMap(\.lines) }
            var counts: [String: Int] = [:]
            var (rest, isAlike) = (0, true)
            for (group, own) in groups {
                let count = counts[group.pattern, default: 0]
                if count < limit, lines.count + own.count < space {
                    counts[group.pattern] = count + 1
                    lines += own
                } else {
                    rest += group.count
                    isAlike = isAlike && count > 0
                }
            }
            if rest == 0 { return lines }
            return lines + ["  and \(rest) more \(rest == 1 ? "note" : "notes")\(isAlike ? " like these" : "")"]
        }
    }

    /// The groups of the notes of each kind, with its title.
    private var groups: [(title: String, groups: [ImportNoteGroup])] {
        ImportNote.Kind.titles.map { kind, title in
            (title, ImportNoteGroup.groups(notes.filter { $0.kind == kind }))
        }
    }

    /// The notes of each kind below its title, with as many notes of one pattern as the limit allows.
    private static func page(
        _ groups: [(title: String, groups: [ImportNoteGroup])], isComplete: Bool, lines: (ImportNoteGroup) -> [String]
    ) -> Page {
        let sections = groups.filter { !$0.groups.isEmpty }.map { title, groups in
            Section(title: title, groups: groups.map { ($0, lines($0)) })
        }
        let isCut = !isComplete && sections.contains { $0.groups.contains { $0.group.isShort } }
        for limit in isComplete ? [.max] : [Int.max, 10, 3, 1] {
            let lines = sections.flatMap { $0.lines(limit: limit) }
            let isShort = isCut || limit < .max
            let length = headLength + lines.count + (isShort ? footLength : 0)
            if isComplete || length <= lineLimit { return Page(lines: lines, isShort: isShort) }
        }
        let share = (lineLimit - headLength - footLength) / max(sections.count, 1)
        return Page(lines: sections.flatMap { $0.lines(limit: 1, space: share) }, isShort: true)
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
