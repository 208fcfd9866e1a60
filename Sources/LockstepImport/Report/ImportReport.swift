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
