import Foundation
import LockstepSchema

/// Notes that say the same of several subjects, such as attributes.
struct ImportNoteGroup {
    let first: ImportNote
    /// The text of the first one without names: what notes of the same pattern have in common.
    let pattern: String
    /// The subjects of the other notes, with the places of the notes.
    private var rest: [(subject: String, location: String?)] = []

    private init(_ note: ImportNote) {
        first = note
        let words = note.text.utf8.split(separator: UInt8(ascii: " "))
        pattern = words.map { Self.isName($0) ? "*" : Substring($0) }.joined(separator: " ")
    }

    /// The number of notes.
    var count: Int { 1 + rest.count }

    /// The groups in the order of their first notes.
    static func groups(_ notes: [ImportNote]) -> [ImportNoteGroup] {
        var groups: [ImportNoteGroup] = []
        var positions: [String: Int] = [:]
        for note in notes {
            guard let subject = subject(of: note.text) else {
                groups.append(ImportNoteGroup(note))
                continue
            }
            let names = Names(subject)
            let key = statement(note.text, of: names) + "\n" + (note.help.map { statement($0, of: names) } ?? "")
            if let position = positions[key] {
                groups[position].rest.append((String(subject), note.location))
            } else {
                positions[key] = groups.count
                groups.append(ImportNoteGroup(note))
            }
        }
        return groups
    }

    /// The longest list of a report that is not complete, in bytes, and what is listed of a longer one.
    private static let lengthLimit = 480
    private static let listedLength = 240

    /// The text of the first note; without most of its long lists, unless it is complete.
    func text(isComplete: Bool) -> String { isComplete ? first.text : Self.shortened(first.text) ?? first.text }

    /// The other subjects; `nil` if there are none.
    ///
    /// - Parameter hasPlaces: Whether each has the place of its note: `Dog.b (Models.swift:31)`.
    func others(isComplete: Bool, hasPlaces: Bool = false) -> String? {
        if rest.isEmpty { return nil }
        let names = rest.map { subject, location in
            subject + (hasPlaces ? location.map { " (\($0))" } ?? "" : "")
        }
        return isComplete ? names.joined(separator: ", ") : Self.listed(names).text
    }

    /// Whether names are missing unless the report is complete.
    var isShort: Bool { Self.listed(rest.map(\.subject)).isShort || Self.shortened(first.text) != nil }

    private static func listed(_ names: [String]) -> (text: String, isShort: Bool) {
        let ends = names.reduce(into: [0]) { ends, name in ends.append(ends[ends.count - 1] + name.utf8.count + 2) }
        if ends[names.count] <= lengthLimit { return (names.joined(separator: ", "), false) }
        let count = max(ends.lastIndex { $0 <= listedLength } ?? 1, 1)
        return ("\(names.prefix(count).joined(separator: ", ")) and \(names.count - count) more", true)
    }

    /// The text without most of its long lists; `nil` if it has none. A list is what commas separate: its first
    /// element ends a phrase, its last one can begin one (`A.x, A.y: their keys`), and the others are single words.
    private static func shortened(_ text: String) -> String? {
        guard text.utf8.count > lengthLimit else { return nil }
        var parts = text.components(separatedBy: ", ")[...]
        var result: [String] = []
        var isShort = false
        while let head = parts.popFirst() {
            var list = [head] + parts.prefix { !$0.contains(" ") }
            parts = parts.dropFirst(list.count - 1)
            var rest = list.count > 1 && list[list.count - 1].hasSuffix(")") ? ")" : ""
            list[list.count - 1].removeLast(rest.count)
            if list.count > 1, let next = parts.first, let space = next.dropFirst().firstIndex(of: " "),
                ".:;)".contains(next[next.index(before: space)])
            {
                list.append(String(next[..<next.index(before: space)]))
                rest = String(next[next.index(before: space)...])
                parts.removeFirst()
            }
            let listed = Self.listed(list)
            isShort = isShort || list.count > 1 && listed.isShort
            result.append((list.count > 1 ? listed.text : head) + rest)
        }
        return isShort ? result.joined(separator: ", ") : nil
    }

    // MARK: Texts

    /// What a note is about: the entity or the member that it begins with.
    static func subject(of text: String) -> Substring? {
        let subject = text.utf8.prefix(while: isPartOfName)
        guard subject.endIndex < text.utf8.endIndex, ":, ".utf8.contains(text.utf8[subject.endIndex]),
            let first = subject.first, isLetter(first)
        else { return nil }
        return Substring(subject)
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...: true
        default: false
        }
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        isLetter(byte) || "0123456789._[]".utf8.contains(byte)
    }

    /// The names of a subject, which can occur in a text again. The last one can be a value, too, so it is only left
    /// out in quotes. The type name of an entity is one: `customer is 'Customer'`.
    private struct Names {
        let owners: Set<Substring>
        private(set) var quoted: Set<Substring>

        init(_ subject: Substring) {
            let parts = subject.utf8.split(separator: UInt8(ascii: ".")).map { Substring($0) }
            owners = Set(parts.dropLast() + [subject])
            quoted = Set(parts + [subject])
            guard parts.count == 1 else { return }
            let type = UsableName.type(String(subject))
            if type.lowercased() == subject.lowercased().filter({ $0 != "_" }) { quoted.insert(Substring(type)) }
        }
    }

    /// A text without its subject.
    private static func statement(_ text: String, of names: Names) -> String {
        let words = text.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map { word in
            let plain = word.drop { "'`([{".utf8.contains($0) }
            let name = Substring(plain.prefix(while: isPartOfName))
            let rest = plain[name.endIndex...]
            let isQuoted = word.first.map(isQuote) == true && rest.first.map { isQuote($0) || $0 == colon } == true
            let isLeftOut = names.owners.contains(name) || isQuoted && names.quoted.contains(name)
            return isLeftOut ? "*\(Substring(rest))" : Substring(word)
        }
        return words.joined(separator: " ")
    }

    /// It follows a name that has a value: `location: json`.
    private static let colon = UInt8(ascii: ":")

    private static func isQuote(_ byte: UInt8) -> Bool { "'`".utf8.contains(byte) }

    /// Whether a word is that of the source: one that is quoted, or that has other characters than letters.
    private static func isName(_ word: Substring.UTF8View) -> Bool {
        guard let first = word.first, !"'`\"(".utf8.contains(first) else { return true }
        let plain = word.lazy.filter { !":,;".utf8.contains($0) }
        return plain.dropFirst().contains { !isLetter($0) || isCapital($0) }
    }

    private static func isCapital(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}
