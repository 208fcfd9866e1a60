/// A part of a page that can be found by its name: an entity, an enum, a version.
struct Section {
    var anchor: Anchor
    var title: String
    /// Additional search terms: the names that it has in other languages.
    var otherNames: [String] = []
    /// Short labels beside the title.
    var marks: [String] = []
    var documentation: String?
    var facts: [Fact] = []
    var tables: [Table] = []
    /// SQL statements.
    var statements: [String] = []
    /// The box of the diagram that shows it; `nil` if there is none.
    var box: Anchor?
}

/// Sections of one kind.
struct Chapter {
    var title: String
    var introduction = ""
    var sections: [Section]
}

struct Fact {
    var name: String
    var value: Cell

    init(_ name: String, value: Cell) {
        self.name = name
        self.value = value
    }
}

/// A table with a heading for each column.
struct Table {
    var title: String
    var headings: [String]
    /// Each row has a cell for each heading. Columns that are empty in every row are not shown.
    var rows: [[Cell]]

    /// The table without empty columns; `nil` if it has no rows.
    var compact: Table? {
        guard !rows.isEmpty else { return nil }
        let used = headings.indices.filter { column in rows.contains { !$0[column].spans.isEmpty } }
        return Table(title: title, headings: used.map { headings[$0] }, rows: rows.map { row in used.map { row[$0] } })
    }
}

/// The target of a link.
enum Anchor: Hashable {
    case entity(String)
    /// The entity's box in the diagram.
    case box(String)
    case enumeration(String)
    case customType(String)
    case joinTable(String)
    case version(Int)

    /// The `id`, which contains only letters, digits, `-` and `_`.
    var identifier: String {
        switch self {
        case .entity(let name): "entity-" + name
        case .box(let name): "diagram-" + name
        case .enumeration(let name): "enum-" + name
        case .customType(let name): "type-" + name
        case .joinTable(let name): "table-" + name.utf8.map(Self.character).joined()
        case .version(let number): "version-\(number)"
        }
    }

    /// Names of tables can be any text.
    private static func character(_ byte: UInt8) -> String {
        let scalar = Unicode.Scalar(byte)
        let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
        return isPlain || scalar == "_" ? String(scalar) : "-\(byte)"
    }
}
