import LockstepJSON

/// The decisions and omissions of an import.
package struct ImportReport: Hashable, Sendable {
    package private(set) var notes: [ImportNote] = []
    /// How many entities, attributes and relationships the schema has.
    package var counts = Counts()

    package struct Counts: Hashable, Sendable {
        package var entities = 0
        package var attributes = 0
        package var relationships = 0
    }

    /// Whether anything was left out.
    package var isPartial: Bool { notes.contains { $0.kind == .left || $0.kind == .unequal } }

    mutating func add(_ note: ImportNote) { notes.append(note) }

    mutating func removeNotes(where isRemoved: (ImportNote) -> Bool) { notes.removeAll(where: isRemoved) }

    /// The report as text, with the file that was written.
    package func text(_ output: String) -> String {
        var lines = [
            "\(output): \(count(counts.entities, one: "entity", many: "entities")), "
                + "\(count(counts.attributes, one: "attribute", many: "attributes")), "
                + count(counts.relationships, one: "relationship", many: "relationships")
        ]
        for (kind, title) in ImportNote.Kind.titles {
            let notes = notes.filter { $0.kind == kind }
            if notes.isEmpty { continue }
            lines += ["", title]
            for note in notes {
                lines.append("  \(note.location.map { "\($0): " } ?? "")\(note.text)")
                if let help = note.help { lines.append("      \(help)") }
            }
        }
        return "\(TerminalText(lines: lines))\n"
    }

    private func count(_ number: Int, one: String, many: String) -> String {
        "\(number) \(number == 1 ? one : many)"
    }
}

/// Something that had another name in an earlier version.
struct ImportRenaming: Hashable, Sendable {
    /// The names in the schema.
    let entities: [String]
    let member: String?
    let former: String
}

/// Something that an import has decided or left out.
package struct ImportNote: Hashable, Sendable {
    package enum Kind: Hashable, Sendable {
        /// The source does not determine it.
        case decided
        /// The schema has no counterpart.
        case left
        /// A value of a sample that changes when it is read and written.
        case unequal
        /// It has no meaning outside of its tools.
        case ignored

        static let titles: [(kind: Kind, title: String)] = [
            (.decided, "Decided for you:"), (.left, "Not imported:"),
            (.unequal, "Does not round-trip:"), (.ignored, "Not relevant here:"),
        ]
    }

    package let kind: Kind
    /// The file and the line; `nil` if it concerns all of the source.
    package let location: String?
    package let text: String
    /// How to change it, or what to do instead.
    package let help: String?
    /// The renaming, if it is about a former name.
    var renaming: ImportRenaming?
}

extension ImportReport {
    /// The report as comments of the schema, without locations in the source.
    var comments: [String] {
        var lines: [String] = []
        for (kind, title) in ImportNote.Kind.titles where kind != .ignored {
            let notes = notes.filter { $0.kind == kind }
            if notes.isEmpty { continue }
            lines += ["", title]
            lines += notes.map { "- \(printable($0.text))" }
        }
        return lines
    }

    /// Returns a text with a space for each character that YAML does not allow in a line.
    private func printable(_ text: String) -> String {
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
