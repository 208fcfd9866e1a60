import Foundation
import LockstepSchema

/// The files of a description: the one that is imported, and those in its folder that it refers to.
struct OpenAPIFiles {
    /// A reference to another file, or in one.
    struct Reference {
        /// What is expected where it is.
        enum Kind {
            case schema, schemas, other
        }

        let node: OpenAPINode
        let kind: Kind
    }

    let path: String
    private(set) var references: [Reference] = []
    private(set) var lines: FileLines
    /// The problems of values that could be read nevertheless.
    private(set) var problems: [(line: Int, text: String)] = []
    /// The files that were not read, by the reason, with the line of the first reference.
    private(set) var unread: [(reason: OpenAPIFolder.Refusal, line: Int, names: [String])] = []
    private var files: [(name: String, root: OpenAPINode)] = []
    /// By the references that lead to them.
    private var targets: [ObjectIdentifier: Int] = [:]
    private var refused: Set<String> = []
    private var (size, count) = (0, 0)
    private var lineCount = 0

    private static let fileLimit = 1_000
    /// As many values as one file can have.
    private static let countLimit = 1_000_000

    /// - Throws: ``ImportFailure`` if a file cannot be read, or there are too many.
    init(_ input: ImportInput) throws(ImportFailure) {
        path = input.path
        lines = FileLines(path: input.name)
        let folder = input.isStream ? nil : OpenAPIFolder(of: input.path)
        try read(try input.read(), at: input.path, named: input.name)
        let (found, ids) = Self.references(in: root)
        var open = found.filter { reference in
            let text = reference.node.text ?? ""
            return !text.hasPrefix("#") && !ids.contains(text) && !ids.contains(String(text.prefix { $0 != "#" }))
        }.map { (reference: $0, file: 0) }[...]
        var known: [String: Int] = [:]
        while let (reference, file) = open.popFirst() {
            let text = reference.node.text ?? ""
            var target = file
            if !text.hasPrefix("#") {
                let name = String(text.prefix { $0 != "#" })
                switch folder?.file(name, from: files[file].name) ?? .failure(.unknown) {
                case .failure(let reason):
                    refuse(reason, name: name, line: reference.node.line)
                    continue
                case .success(let found):
                    target = found.name == files[0].name ? 0 : known[found.path] ?? files.count
                    if target == files.count {
                        known[found.path] = target
                        try read(try ImportInput(path: found.path).read(), at: found.path, named: found.name)
                        open += Self.references(in: files[target].root).found.map { (reference: $0, file: target) }
                    }
                }
            }
            references.append(reference)
            targets[ObjectIdentifier(reference.node)] = target
        }
        for other in others { other.markRead() }
    }

    private mutating func read(_ data: Data, at path: String, named name: String) throws(ImportFailure) {
        var reader = OpenAPIReader(path: path, firstLine: lineCount + 1)
        let isFirst = files.isEmpty
        files.append((name, try reader.read(data)))
        size += data.count
        count += isFirst ? 0 : reader.count
        guard isFirst || files.count <= Self.fileLimit && size <= OpenAPIReader.sizeLimit && count <= Self.countLimit
        else {
            throw ImportFailure(
                self.path,
                reason: "It refers to more than \(Self.fileLimit) files, or there are more than "
                    + "\(OpenAPIReader.sizeLimit >> 20) MiB or \(Self.countLimit) values in them. Import a part of it.")
        }
        lines.add(name, firstLine: lineCount + 1)
        lineCount += reader.lineCount
        problems += reader.problems
    }

    private mutating func refuse(_ reason: OpenAPIFolder.Refusal, name: String, line: Int) {
        guard refused.insert("\(reason.rawValue) \(name)").inserted else { return }
        guard let index = unread.firstIndex(where: { $0.reason == reason }) else {
            return unread.append((reason, line, [name]))
        }
        unread[index].names.append(name)
    }

    /// The imported file.
    var root: OpenAPINode { files[0].root }

    /// The others, in the order of the references to them.
    var others: [OpenAPINode] { files.dropFirst().map(\.root) }

    /// The file that a reference to another file, or in one, leads to; `nil` if it was not read.
    func root(of reference: OpenAPINode) -> OpenAPINode? { targets[ObjectIdentifier(reference)].map { files[$0].root } }

    /// What a schema is called that a reference leads to: as the definition, or as the file that it is; `nil` for a
    /// part of a schema.
    func schemaName(of reference: OpenAPINode) -> String? {
        let parts = (reference.text ?? "").drop { $0 != "#" }.dropFirst().split(separator: "/").map(String.init)
        guard let last = parts.last else {
            return targets[ObjectIdentifier(reference)].map { UsableName.type(Self.plainName(files[$0].name)) }
        }
        return parts.count == 1 || Self.maps.contains(parts[parts.count - 2]) ? last : nil
    }

    /// `Shop` for `shop.openapi.yaml` and `schemas/shop.schema.json`.
    static func plainName(_ path: String) -> String {
        let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        let suffix = [".openapi", ".schema"].first { name.lowercased().hasSuffix($0) } ?? ""
        return String(name.dropLast(suffix.count))
    }

    // MARK: Unread files

    /// What to do with a description that refers to files that are not read.
    static let help = "bundle them first, for example with 'npx @redocly/cli bundle', and import the result."

    /// What to do if nothing can be imported because of that; empty if all files were read.
    var failureHelp: String {
        let texts = unread.map { "\($0.names.prefix(5).joined(separator: ", ")), \($0.reason.rawValue)" }
        return texts.isEmpty
            ? "" : " It refers to other files: \(texts.joined(separator: "; ")). Correct the paths, or \(Self.help)"
    }

    // MARK: References

    /// The keywords whose members are schemas by their names.
    private static let maps: Set = [
        "properties", "patternProperties", "dependentSchemas", "$defs", "definitions", "schemas",
    ]
    private static let schemas: Set = [
        "schema", "items", "prefixItems", "additionalProperties", "allOf", "oneOf", "anyOf", "not", "if", "then",
        "else",
    ]
    /// The keywords with any values.
    private static let values: Set = ["example", "examples", "default", "enum", "const"]

    /// The references in a file, with the texts of `$id`.
    private static func references(in root: OpenAPINode) -> (found: [Reference], ids: Set<String>) {
        var found: [Reference] = []
        var ids: Set<String> = []
        func walk(_ node: OpenAPINode, as kind: Reference.Kind) {
            if let reference = node.peek("$ref"), reference.text != nil {
                found.append(Reference(node: reference, kind: kind))
            }
            if let id = node.peek("$id")?.text { ids.insert(id) }
            for element in node.peekedElements { walk(element, as: kind) }
            for (key, value) in node.peekedEntries {
                if kind == .schemas {
                    walk(value, as: .schema)
                } else if !values.contains(key) {
                    walk(value, as: schemas.contains(key) ? .schema : maps.contains(key) ? .schemas : .other)
                }
            }
        }
        walk(root, as: .other)
        return (found, ids)
    }
}
