import Foundation
import LockstepSchema

/// The files of a description: the one that is imported, and those in its folder that it refers to.
final class OpenAPIFiles {
    let path: String
    private(set) var references: [OpenAPIReference] = []
    private(set) var lines: FileLines
    /// The problems of values that could be read nevertheless.
    private(set) var problems: [(line: Int, text: String)] = []
    /// The files that were not read, by the reason, with the line of the first reference of each file.
    private(set) var unread: [(reason: OpenAPIFolder.Refusal, files: [(name: String, line: Int)])] = []
    private let folder: OpenAPIFolder?
    private var files: [(name: String, root: OpenAPINode)] = []
    /// By their paths without links, and by the paths that references have.
    private var known: [String: Int] = [:]
    private var found: [String: Int?] = [:]
    /// By the references: the files that they are in, and the places where their fragments begin.
    private var bases: [ObjectIdentifier: (origin: Int, place: Place)] = [:]
    private var targets: [ObjectIdentifier: OpenAPINode?] = [:]
    /// Whether all files were read, so that references can lead through others.
    private var isComplete = false
    private var depth = 0
    private var collected: Set<ObjectIdentifier> = []
    /// The values of the imported file that have an `$id`, and those of all files that have an `$anchor`.
    private var ids: [String: OpenAPINode] = [:]
    private var anchors: [String: OpenAPINode] = [:]
    private var (size, count) = (0, 0)
    private var lineCount = 0

    private typealias Place = (file: Int, node: OpenAPINode)

    private static let fileLimit = 1_000
    /// As many values as one file can have.
    private static let countLimit = 1_000_000
    /// The longest chain of references that is followed.
    static let chainLimit = 32

    /// - Throws: ``ImportFailure`` if a file cannot be read, or there are too many.
    init(_ input: ImportInput) throws(ImportFailure) {
        path = input.path
        lines = FileLines(path: input.name)
        folder = input.isStream ? nil : OpenAPIFolder(of: input.path)
        _ = try read(input, named: input.name)
        if let folder { known[folder.file] = 0 }
        let kind: OpenAPIReference.Kind = root.peek("openapi") == nil ? .schema : .other
        var parts = [(node: root, kind: kind, file: 0)][...]
        while let part = parts.popFirst() {
            var found: [OpenAPIReference] = []
            collect(part.node, as: part.kind, in: part.file, into: &found)
            for reference in found {
                references.append(reference)
                guard let base = try base(of: reference) else { continue }
                bases[ObjectIdentifier(reference.node)] = (reference.file, base)
                if let target = resolve(reference.node) { parts.append((target, reference.kind, base.file)) }
            }
        }
        isComplete = true
        for reference in references {
            if let target = resolve(reference.node), reference.kind != .schema { reference.owner.include(target) }
        }
        for other in others { other.markRead() }
    }

    /// - Returns: The number of values in a file.
    private func read(_ input: ImportInput, named name: String) throws(ImportFailure) -> Int {
        var reader = OpenAPIReader(path: input.path, firstLine: lineCount + 1)
        let data = try input.read()
        files.append((name, try reader.read(data)))
        size += data.count
        lines.add(name, firstLine: lineCount + 1)
        lineCount += reader.lineCount
        problems += reader.problems
        return reader.count
    }

    /// The imported file.
    var root: OpenAPINode { files[0].root }

    /// The others, in the order of the references to them.
    var others: [OpenAPINode] { files.dropFirst().map(\.root) }

    // MARK: References

    /// Adds the references in a value, with what has an `$id` or an `$anchor`.
    private func collect(
        _ node: OpenAPINode, as kind: OpenAPIReference.Kind, in file: Int, into found: inout [OpenAPIReference]
    ) {
        if node.text != nil || !collected.insert(ObjectIdentifier(node)).inserted { return }
        if let reference = node.peek("$ref"), reference.text != nil {
            found.append(OpenAPIReference(owner: node, node: reference, kind: kind, file: file))
        }
        if let anchor = node.peek("$anchor")?.text { anchors["\(file)#\(anchor)"] = node }
        if let id = node.peek("$id")?.text {
            if id.hasPrefix("#") { anchors["\(file)\(id)"] = node }
            if file == 0 { ids[OpenAPIReference.path(id)] = node }
        }
        let element = kind == .others ? .other : kind
        for value in node.peekedElements { collect(value, as: element, in: file, into: &found) }
        for (key, value) in node.peekedEntries {
            if let kind = kind.part(key) { collect(value, as: kind, in: file, into: &found) }
        }
    }

    private func base(of reference: OpenAPIReference) throws(ImportFailure) -> Place? {
        let path = OpenAPIReference.path(reference.node.text ?? "")
        if path.isEmpty { return (reference.file, files[reference.file].root) }
        if reference.file == 0, let node = ids[path] { return (0, node) }
        let key = "\(reference.file) \(path)"
        if found[key] == nil { found[key] = .some(try file(at: path, of: reference)) }
        return found[key]?.map { ($0, files[$0].root) }
    }

    /// Reads the file of a reference; `nil` if it is refused.
    private func file(at path: String, of reference: OpenAPIReference) throws(ImportFailure) -> Int? {
        switch folder?.find(path, from: files[reference.file].name) ?? .failure(.unknown) {
        case .failure(let reason):
            refuse(reason, name: path, line: reference.node.line)
            return nil
        case .success(let found):
            if let file = known[found.path] { return file }
            let file = files.count
            known[found.path] = file
            do {
                count += try read(try ImportInput(path: found.path), named: found.name)
            } catch {
                throw ImportFailure(
                    error.path, line: error.line,
                    reason: "\(error.reason) It is referred to in \(lines.location(reference.node.line)).")
            }
            guard files.count <= Self.fileLimit, size <= OpenAPIReader.sizeLimit, count <= Self.countLimit else {
                throw ImportFailure(
                    self.path,
                    reason: "It refers to more than \(Self.fileLimit) files, or there are more than "
                        + "\(OpenAPIReader.sizeLimit >> 20) MiB or \(Self.countLimit) values in them. Import a part "
                        + "of it.")
            }
            return file
        }
    }

    private func refuse(_ reason: OpenAPIFolder.Refusal, name: String, line: Int) {
        guard let index = unread.firstIndex(where: { $0.reason == reason }) else {
            return unread.append((reason, [(name, line)]))
        }
        unread[index].files.append((name, line))
    }

    /// The target of a reference; `nil` if its file was not read, or nothing is there.
    func target(of reference: OpenAPINode) -> OpenAPINode? { targets[ObjectIdentifier(reference)] ?? nil }

    private func resolve(_ reference: OpenAPINode) -> OpenAPINode? {
        let key = ObjectIdentifier(reference)
        if let known = targets[key] { return known }
        guard let base = bases[key]?.place, let text = reference.text, depth < Self.chainLimit else { return nil }
        guard let keys = OpenAPIReference.keys(text) else {
            let anchor = anchors["\(base.file)\(text.drop { $0 != "#" })"]
            if let anchor { targets[key] = anchor }
            return anchor
        }
        // One that leads through itself leads nowhere.
        if isComplete { targets[key] = .some(nil) }
        depth += 1
        defer { depth -= 1 }
        var node = base.node
        for key in keys {
            guard let part = part(key, of: node) else { return nil }
            node = part
            // Of another file, only that is reported that nothing leads to.
            if base.file != 0 { node.markRead() }
        }
        targets[key] = node
        return node
    }

    /// A part of a value, or of what it refers to.
    private func part(_ key: String, of node: OpenAPINode) -> OpenAPINode? {
        var node = node
        for _ in 0..<Self.chainLimit {
            let elements = node.peekedElements
            if let part = node.peek(key) ?? Int(key).flatMap({ elements.indices.contains($0) ? elements[$0] : nil }) {
                return part
            }
            guard isComplete, let next = node.peek("$ref").flatMap(resolve) else { return nil }
            node = next
        }
        return nil
    }

    /// Whether a reference leads to a file that was read, and to another one than its own.
    func leavesFile(_ reference: OpenAPINode) -> Bool {
        bases[ObjectIdentifier(reference)].map { $0.origin != $0.place.file } ?? false
    }

    /// Why a reference leads to nothing.
    func loss(of reference: OpenAPINode) -> String {
        let isRead = bases[ObjectIdentifier(reference)] != nil
        return isRead ? "there is no '\(reference.text ?? "")'" : "'\(reference.text ?? "")' is in another file"
    }

    /// What a schema is called that a reference leads to: as the definition, or as the file that it is; `nil` for a
    /// part of a schema.
    func schemaName(of reference: OpenAPINode) -> String? {
        guard let keys = OpenAPIReference.keys(reference.text ?? ""), let last = keys.last else {
            return bases[ObjectIdentifier(reference)].map { UsableName.type(Self.plainName(files[$0.place.file].name)) }
        }
        return keys.count == 1 || OpenAPIReference.Kind.hasSchemas(keys[keys.count - 2]) ? last : nil
    }

    /// `Shop` for `shop.openapi.yaml`, `schemas/shop.schema.json` and `schemas/shop/index.yaml`.
    static func plainName(_ path: String) -> String {
        let folder = ((path as NSString).deletingLastPathComponent as NSString).lastPathComponent
        let name = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
        if !folder.isEmpty, ["index", "_index"].contains(name.lowercased()) { return folder }
        let suffix = [".openapi", ".schema"].first { name.lowercased().hasSuffix($0) } ?? ""
        return String(name.dropLast(suffix.count))
    }

    // MARK: Unread files

    /// What to do with files that are not read.
    static let help = "bundle all files first, for example with 'npx @redocly/cli bundle', and import the result."

    /// What to do if nothing can be imported because of that; empty if all files were read.
    var failureHelp: String {
        unread.map { reason, files in
            let names = files.prefix(5).map { "\($0.name) (\(lines.location($0.line)))" }.joined(separator: ", ")
            return " It refers to other files, \(reason.rawValue): \(names). \(reason.remedy), or \(Self.help)"
        }.joined()
    }
}
