/// Reports what was not read of a description.
final class OpenAPILeftovers {
    private let context: OpenAPIContext
    /// The occurrences by keyword, in the order of the first occurrence.
    private var unread: [(key: String, occurrences: [Occurrence])] = []
    private var ignored: [(key: String, occurrences: [Occurrence])] = []
    private var indices: [String: Int] = [:]
    private var ignoredIndices: [String: Int] = [:]

    private struct Occurrence {
        let node: OpenAPINode
        /// The schema and the property that it is about: `Entry.title`.
        let subject: String?
    }

    init(_ context: OpenAPIContext) { self.context = context }

    func report() {
        ignoreWhatHasNoMeaning(context.document.root)
        for file in [context.document.root] + context.document.files.others { walk(file, key: "", of: nil) }
        for (key, occurrences) in unread {
            let isCheck = Self.checks.contains(key)
            context.notes.left(
                occurrences[0].node.line, text: text(key, occurrences: occurrences),
                help: isCheck ? "Check it in Swift, in `validate()`." : Self.helps[key])
        }
        if !ignored.isEmpty {
            let texts = ignored.map { "\($0.key) (\(lines($0.occurrences)))" }.sorted()
            context.notes.ignored("Parts of the description, with their lines: \(texts.joined(separator: ", "))")
        }
    }

    private func text(_ key: String, occurrences: [Occurrence]) -> String {
        if occurrences.count == 1, let subject = occurrences[0].subject {
            // A definition that nothing refers to has a path.
            let name = key.contains("/") ? key : "the keyword \(key)"
            return "\(subject): " + (occurrences[0].node.text.map { "\(key) \($0)" } ?? name)
        }
        let subjects = Self.listed(occurrences.compactMap(\.subject))
        let what = subjects.isEmpty ? "\(key) is not used" : "\(key) of \(subjects)"
        return occurrences.count == 1 ? what : "\(what), in lines \(lines(occurrences))"
    }

    /// The lines, with their files unless these are the imported one.
    private func lines(_ occurrences: [Occurrence]) -> String {
        let texts = occurrences.map { occurrence -> String in
            let (file, first) = context.document.files.lines.place(occurrence.node.line)
            let last = first + occurrence.node.lastLine - occurrence.node.line
            return (file == context.notes.fileName ? "" : "\(file):")
                + (first == last ? "\(first)" : "\(first)–\(last)")
        }
        return Self.listed(texts)
    }

    /// These texts, each once.
    private static func listed(_ texts: [String]) -> String {
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }.joined(separator: ", ")
    }

    private static let checks: Set = [
        "pattern", "multipleOf", "uniqueItems", "minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum",
        "exclusiveMinimum", "exclusiveMaximum", "minProperties", "maxProperties", "patternProperties", "propertyNames",
        "dependentRequired", "dependentSchemas", "if", "then", "else", "not", "contains", "prefixItems", "required",
        "unevaluatedProperties", "dependencies",
    ]

    private static let helps = [
        "additionalProperties": "For keys that are not known, add an attribute of the type json for the object.",
        "discriminator": "An attribute has the kind; write an enum for it.",
        "deprecated": "Write `deprecated:` for its members.",
    ]

    // MARK: What has no meaning

    private func ignoreWhatHasNoMeaning(_ root: OpenAPINode) {
        let document = context.document
        for file in [root] + document.files.others {
            for key in Self.meaninglessAtTop where file === root || file.name == nil {
                file.peek(key)?.ignore()
            }
        }
        if context.document.dialect == .jsonSchema, root.name == nil {
            for key in ["title", "description", "type"] { root.peek(key)?.ignore() }
        }
        if let servers = root["servers"] {
            let urls = servers.elements.compactMap { $0["url"]?.text }
            for element in servers.elements { element.ignore() }
            if !urls.isEmpty {
                context.notes.decided(
                    servers.line, text: "Paths are below the URL of the server, such as \(urls[0])",
                    help: "Give this URL to the remote.")
            }
        }
        for entry in root["components"]?.entries ?? [] where entry.key != "schemas" { entry.value.ignore() }
        for item in root["paths"]?.entries ?? [] { ignorePath(item.value) }
        for reference in document.files.references where [.other, .others].contains(reference.kind) {
            if let target = document.files.target(of: reference.node), target.name == nil { target.ignore() }
        }
    }

    private static let meaninglessAtTop = [
        "info", "tags", "security", "externalDocs", "jsonSchemaDialect", "$schema", "$id", "$comment", "openapi",
    ]

    /// Of a path, only the methods and the schemas of the bodies have a meaning.
    private func ignorePath(_ item: OpenAPINode) {
        var hasVersion = false
        for entry in item.entries {
            hasVersion = hasVersion || Self.namesVersion(entry.value)
            entry.value.ignore()
        }
        if hasVersion {
            context.notes.left(
                item.line, text: "A header for the version of a record (`If-Match`, `ETag`)",
                help: "If the record has the version too, name its attribute in `version:`.")
        }
    }

    /// Whether an operation detects outdated writes by a header.
    private static func namesVersion(_ operation: OpenAPINode) -> Bool {
        let parameters = operation.peek("parameters")?.peekedElements ?? []
        if parameters.contains(where: { $0.peek("name")?.text?.lowercased() == "if-match" }) { return true }
        return operation.peek("responses")?.peekedEntries.contains { response in
            response.value.peek("headers")?.peekedEntries.contains { $0.key.lowercased() == "etag" } ?? false
        } ?? false
    }

    // MARK: What is left

    private static let definitions: Set = ["$defs", "definitions"]

    private static let meaningless: Set = [
        "example", "examples", "externalDocs", "xml", "title", "$comment", "$id", "$anchor", "summary",
        "contentMediaType",
    ]

    /// - Parameters:
    ///   - key: The keyword; empty for what has a name of its own, such as a property.
    ///   - subject: The schema and the property that it is in.
    private func walk(_ node: OpenAPINode, key: String, of subject: String?) {
        let subject = node.name ?? subject
        switch node.use {
        case .unread where Self.definitions.contains(key):
            // Only references lead to what is in it.
            guard case .object(let definitions) = node.content else { return }
            for (name, definition) in definitions {
                walk(definition, key: definition.use == .unread ? "\(key)/\(name)" : "", of: subject)
            }
            return
        case .unread where !key.isEmpty:
            let isFalse = key == "additionalProperties" && node.bool == false
            let isIgnored = isFalse || Self.meaningless.contains(key) || key.hasPrefix("x-")
            return isIgnored
                ? addIgnored(key, node: node) : addUnread(key, at: Occurrence(node: node, subject: subject))
        case .ignored: return addIgnored(key, node: node)
        case .reported: return
        default: break
        }
        switch node.content {
        case .scalar: break
        case .list(let elements): elements.forEach { walk($0, key: key, of: subject) }
        case .object(let entries):
            for (name, value) in entries {
                let isProperty = key == "properties" && subject != nil
                let inner = isProperty ? subject.map { "\($0).\(name)" } : subject
                walk(value, key: isProperty && value.use == .read ? "" : name, of: inner)
            }
        }
    }

    private func addUnread(_ key: String, at occurrence: Occurrence) {
        if let index = indices[key] { return unread[index].occurrences.append(occurrence) }
        indices[key] = unread.count
        unread.append((key, [occurrence]))
    }

    private func addIgnored(_ key: String, node: OpenAPINode) {
        let occurrence = Occurrence(node: node, subject: nil)
        if let index = ignoredIndices[key] { return ignored[index].occurrences.append(occurrence) }
        ignoredIndices[key] = ignored.count
        ignored.append((key, [occurrence]))
    }
}
