import Foundation
import LockstepSchema

/// A description, with its schemas by name.
final class OpenAPIDocument {
    enum Dialect {
        case openAPI30, openAPI31, jsonSchema
    }

    let files: OpenAPIFiles
    let root: OpenAPINode
    let dialect: Dialect
    /// The schemas that have a name, in the order of the file.
    private(set) var schemas: [(name: String, node: OpenAPINode)] = []
    private var byName: [String: OpenAPINode] = [:]
    /// The names as they are compared.
    private var plainNames: Set<String> = []
    /// The version of OpenAPI, if it is newer than those that are known.
    private(set) var newerVersion: (line: Int, text: String)?
    /// The references of paths and of `allOf` that lead to nothing, with their lines.
    private(set) var problems: [(line: Int, text: String)] = []
    private var lost: Set<ObjectIdentifier> = []
    /// Where the schemas lead to, each found once: the schemas of a chain of references share their way.
    private(set) var steps: [ObjectIdentifier: OpenAPIStep] = [:]

    /// - Parameter rootName: The name of the schema that a JSON Schema is itself, if it has no title.
    /// - Throws: ``ImportFailure`` if it is of another version or has no schemas.
    init(_ files: OpenAPIFiles, rootName: String) throws(ImportFailure) {
        (self.files, root) = (files, files.root)
        guard root.isObject else {
            throw ImportFailure(
                files.path, line: root.line, reason: "It is not an object, which OpenAPI and JSON Schema require.")
        }
        dialect = try Self.dialect(of: root, at: files.path)
        if let version = root.peek("openapi"), let text = version.text,
            let minor = text.split(separator: ".").dropFirst().first.flatMap({ Int($0) }), minor > 1
        {
            newerVersion = (version.line, text)
        }
        if dialect == .jsonSchema {
            if Self.hasOwnShape(root) {
                let title = root.peek("title")?.text.map(UsableName.type) ?? rootName
                if let items = root.peek("items"), root.peek("properties") == nil {
                    root["items"]?.markRead()
                    // What a reference leads to is registered with its own name.
                    if items.peek("$ref") == nil {
                        register(Noun.singular(title), node: items)
                    } else {
                        _ = items["$ref"]
                    }
                } else {
                    register(title, node: root)
                }
            }
            for key in ["$defs", "definitions"] {
                for entry in root[key]?.entries ?? [] { register(entry.key, node: entry.value) }
            }
        } else {
            for entry in root["components"]?["schemas"]?.entries ?? [] {
                register(entry.key, node: entry.value)
            }
        }
        registerOthers()
        guard !schemas.isEmpty else {
            throw ImportFailure(
                files.path, line: 1,
                reason: dialect == .jsonSchema
                    ? "It has no schema with properties, and none in '$defs' or 'definitions'.\(files.failureHelp)"
                    : "It has no schemas in 'components'."
                        + (files.unread.isEmpty
                            ? " Import a description with 'components: { schemas: … }'." : files.failureHelp))
        }
    }

    private static func dialect(of root: OpenAPINode, at path: String) throws(ImportFailure) -> Dialect {
        if let version = root["openapi"] {
            guard let text = version.text else {
                throw ImportFailure(
                    path, line: version.line, reason: "The value of 'openapi' is not a version, such as 3.1.0.")
            }
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            let numbers = parts.compactMap { Int($0) }
            if numbers.first == 3, (2...3).contains(parts.count), numbers.count == parts.count {
                return numbers[1] == 0 ? .openAPI30 : .openAPI31
            }
            throw ImportFailure(
                path, line: version.line,
                reason: "OpenAPI '\(text)' is not supported. Import a description of version 3.0 or 3.1.")
        }
        if let version = root["swagger"] {
            throw ImportFailure(
                path, line: version.line,
                reason: "It uses Swagger \(version.text ?? "2.0"). Convert it to OpenAPI 3, for example with "
                    + "'npx swagger2openapi' or in editor.swagger.io, and import the result.")
        }
        return .jsonSchema
    }

    private static func hasOwnShape(_ root: OpenAPINode) -> Bool {
        ["properties", "allOf", "$ref", "items"].contains { root.peek($0) != nil }
    }

    /// Gives a schema a name. One that only refers to another file is the one that is there.
    private func register(_ name: String, node: OpenAPINode) {
        if byName[name] != nil { return }
        var node = node
        while let reference = node.peek("$ref"), files.leavesFile(reference),
            let target = files.target(of: reference), target.name == nil
        {
            node.name = name
            reference.markRead()
            node = target
        }
        byName[name] = node
        schemas.append((name, node))
        node.name = name
        plainNames.insert(IdentityNames.plain(name))
    }

    /// Gives the schemas of other files names.
    private func registerOthers() {
        for reference in files.references where reference.kind == .schema {
            guard reference.file != 0 || files.leavesFile(reference.node),
                let target = files.target(of: reference.node), target.isObject, target.name == nil,
                let name = files.schemaName(of: reference.node)
            else { continue }
            register(freeName(name) { byName[$0] != nil }, node: target)
        }
    }

    /// Gives a schema without a name one; `nil` if the name is taken.
    func adopt(_ node: OpenAPINode, as name: String) -> String? {
        if byName[name] != nil { return nil }
        register(name, node: node)
        return name
    }

    // MARK: Lookup

    /// The schema with a name.
    func schema(_ name: String) -> OpenAPINode? { byName[name] }

    /// Whether there is a schema with a name, in lower case and without underscores.
    func hasSchema(named plain: String) -> Bool { plainNames.contains(plain) }

    /// Where a schema leads to.
    func step(from node: OpenAPINode) -> OpenAPIStep {
        let key = ObjectIdentifier(node)
        if let known = steps[key] { return known }
        let step = OpenAPIStep(from: node, in: self)
        steps[key] = step
        return step
    }

    /// Notes the references of paths that lead to nothing, or to themselves.
    func loseReferences() {
        for reference in files.references where reference.kind != .schema && reference.owner.use == .read {
            let last = reference.owner.last
            guard let open = last.peek("$ref"), last.included != nil || files.target(of: open) == nil else { continue }
            lose(open)
        }
    }

    /// Notes that nothing is known of what a reference refers to.
    func lose(_ reference: OpenAPINode) {
        guard lost.insert(ObjectIdentifier(reference)).inserted else { return }
        let reason = files.loss(of: reference)
        problems.append(
            (
                reference.line,
                files.target(of: reference) != nil
                    ? "'\(reference.text ?? "")' refers to itself" : reason.prefix(1).uppercased() + reason.dropFirst()
            ))
    }
}
