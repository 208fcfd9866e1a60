/// Every generated type needs a unique name and file. File names must differ by more than case, because many file
/// systems treat `Entry.swift` and `entry.swift` as equal.
enum TypeNameClash: Rule {
    static func check(_ draft: Draft, into report: inout Report) {
        var scope = Scope()
        let declaration = draft.declaration
        scope.claim(declaration.name.value + "Schema", named: declaration.name, noun: "the schema type", into: &report)
        for enumeration in declaration.enumerations {
            scope.claim(SwiftName.type(enumeration.name.value), named: enumeration.name, noun: "enum", into: &report)
        }
        for type in declaration.types { scope.claim(type.name.value, named: type.name, noun: "type", into: &report) }
        for entity in draft.entities {
            scope.claim(entity.swiftName, named: entity.declaration.name, noun: "entity", into: &report)
        }
        for entity in draft.entities where !entity.isAbstract {
            scope.claim(
                entity.name + "Representation", named: entity.declaration.name,
                noun: "the representation of '\(entity.name)'",
                into: &report)
        }
    }

    private struct Scope {
        private struct Owner {
            var name: Located<String>
            var swiftName: String
            var noun: String
        }

        private var owners: [String: Owner] = [:]

        mutating func claim(_ swiftName: String, named name: Located<String>, noun: String, into report: inout Report) {
            let key = swiftName.lowercased()
            guard let first = owners[key] else {
                owners[key] = Owner(name: name, swiftName: swiftName, noun: noun)
                return
            }
            // A repeated key in one mapping is reported by the syntax.
            if first.noun == noun, first.name.value == name.value { return }
            let isSameSpelling = first.swiftName == swiftName
            report.add(
                Diagnostic(
                    .typeNameClash, at: name.range,
                    message: isSameSpelling
                        ? "There are two types '\(swiftName)' in Swift"
                        : "'\(swiftName)' and '\(first.swiftName)' would be the same file on case-insensitive disks",
                    remedy: "Rename one of the two.",
                    notes: [Diagnostic.Note("'\(first.swiftName)' is \(first.noun.asDescribed)", at: first.name.range)])
            )
        }
    }

    static let entry = CatalogueEntry(
        code: .typeNameClash,
        title: "Duplicate type name",
        explanation: """
            Enums, types and entities share one scope in Swift, together with the schema type (`JournalSchema`) and \
            the representations (`EntryRepresentation`). Each name is also the name of a file, so two names must \
            differ by more than case.
            """,
        wrong: """
            lockstep: 1
            schema: Journal
            enums:
              Entry: [short, long]
            entities:
              Entry:
                attributes: { id: uuid }
            """,
        right: """
            lockstep: 1
            schema: Journal
            enums:
              EntryKind: [short, long]
            entities:
              Entry:
                attributes: { id: uuid }
            """)
}

extension String {
    /// "an enum" for "enum". A text that has an article keeps it.
    fileprivate var asDescribed: String { utf8.starts(with: "the ".utf8) ? self : withArticle + " here" }
}

extension DiagnosticCode {
    /// Two types that Swift or the file system could not distinguish.
    package static let typeNameClash = DiagnosticCode(rawValue: "type-name-clash")
}
