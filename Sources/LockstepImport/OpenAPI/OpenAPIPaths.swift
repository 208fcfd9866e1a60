import Foundation
import LockstepJSON
import LockstepSchema

/// The uses of the schemas in paths: which are requested, with which paths and methods.
final class OpenAPIPaths {
    /// How the records of a schema are requested.
    struct Remote {
        var path: String
        var line: Int
        var writes: Set<String> = []
        /// The key under which the bodies have the record.
        var wrap: String?
        /// The parameter of the path of one record.
        var parameter: String?
        /// The body of `POST`.
        var created: OpenAPINode?
    }

    private let document: OpenAPIDocument
    private let properties: OpenAPIProperties
    private let identity: OpenAPIIdentity
    private let notes: ImportNotes
    private(set) var remotes: [String: Remote] = [:]
    /// The schemas that a path returns, as records or in a list.
    private(set) var listed: Set<String> = []
    private(set) var returned: Set<String> = []
    private(set) var failed: Set<String> = []
    private(set) var sent: Set<String> = []
    /// The schemas that contain a list, by name.
    private(set) var envelopes: [String: String] = [:]
    /// The path of one record that is below a record of another schema, by the record's schema.
    private var nested: [String: String] = [:]
    private var others: [(line: Int, text: String)] = []
    private(set) var hasPaths = false
    /// The schemas whose records are changed with `PUT` only.
    private(set) var replaced: [String] = []

    static let methods = ["get", "post", "put", "patch", "delete"]

    init(_ document: OpenAPIDocument, properties: OpenAPIProperties, notes: ImportNotes) {
        (self.document, self.properties, self.notes) = (document, properties, notes)
        identity = OpenAPIIdentity(document, properties: properties)
    }

    func read() {
        let items = (document.root["paths"]?.entries ?? []).map { entry in
            (path: Self.trimmed(entry.key), node: document.followed(entry.value) ?? entry.value)
        }
        hasPaths = !items.isEmpty
        let slashes = (document.root.peek("paths")?.peekedEntries ?? []).filter {
            $0.key.count > 1 && $0.key.hasSuffix("/")
        }
        if let first = slashes.first {
            notes.left(
                first.value.line,
                text: "The '/' at the end of \(slashes.count == 1 ? "a path" : "\(slashes.count) paths")",
                help:
                    "If the server requires it, add it in `collectionPath` and `recordPath` of `conventions.addresses`."
            )
        }
        // Short paths first: an entity has the path that is not inside another one's.
        let sorted = items.enumerated().sorted {
            let (left, right) = ($0.element.path, $1.element.path)
            let (first, second) = (left.utf8.count { $0 == 0x2F }, right.utf8.count { $0 == 0x2F })
            return first == second ? $0.offset < $1.offset : first < second
        }.map(\.element)
        let collections = sorted.filter { !$0.path.contains("{") }.map { collection(at: $0.path, item: $0.node) }
        let records = sorted.filter { $0.path.contains("{") }.compactMap { recordPath($0.path, item: $0.node) }
        let chosen = OpenAPIPathChoice(collections, records: records, nested: nested)
        for collection in collections { add(collection, chosen: chosen) }
        for record in records { add(record, chosen: chosen) }
        reportOthers()
    }

    private static func trimmed(_ path: String) -> String {
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    // MARK: Paths

    private func collection(at path: String, item: OpenAPINode) -> OpenAPIPathChoice.Collection {
        let list = item["get"].map { response(of: $0, at: path) }
        let post = item["post"]
        let created = post.map { response(of: $0, at: path) }
        let body = post.flatMap { request(of: $0) }
        var name: String?
        if case .many(let element) = list { name = element }
        if name == nil, list == nil {
            if case .one(let element) = created { name = element }
            if name == nil, let body, case .one(let element) = payload(body, at: path) { name = element }
        }
        if let found = name, document.schema(found) == nil { name = nil }
        return .init(path: path, item: item, name: name, body: body, canCreate: post != nil, isListed: list != nil)
    }

    private func add(_ collection: OpenAPIPathChoice.Collection, chosen: OpenAPIPathChoice) {
        let (path, item) = (collection.path, collection.item)
        guard let name = collection.name else { return addOthers(item, at: path, methods: Self.methods) }
        guard chosen.path(of: name) == path else {
            let own = chosen.path(of: name) ?? nested[name] ?? ""
            return addOthers(item, at: path, methods: Self.methods, reason: "\(name) has '\(own)'")
        }
        var remote = Remote(path: path, line: item.line)
        if collection.canCreate {
            remote.writes.insert("create")
            addBody(collection.body, of: name, remote: &remote)
        }
        remotes[name] = remote
        addOthers(item, at: path, methods: ["put", "patch", "delete"])
    }

    /// The path of one record; `nil` if it is that of something else, which is reported.
    private func recordPath(_ path: String, item: OpenAPINode) -> OpenAPIPathChoice.Record? {
        let parts = path.split(separator: "/")
        let parent = "/" + parts.dropLast().joined(separator: "/")
        guard let last = parts.last, last.hasPrefix("{"), last.hasSuffix("}"), !parent.contains("{") else {
            let names = readAll(item, at: path)
            if parts.last?.hasPrefix("{") == true { nested.merge(names.map { ($0, path) }) { first, _ in first } }
            addOthers(item, at: path, methods: Self.methods)
            return nil
        }
        let names = Self.methods.compactMap { method in item[method].flatMap { record(of: $0, at: path) } }
        let parameter = String(last.dropFirst().dropLast())
        return .init(path: path, parent: parent, parameter: parameter, item: item, names: names)
    }

    private func add(_ record: OpenAPIPathChoice.Record, chosen: OpenAPIPathChoice) {
        let item = record.item
        guard let name = chosen.name(at: record.parent) else {
            return addOthers(item, at: record.path, methods: Self.methods)
        }
        var remote = remotes[name] ?? Remote(path: record.parent, line: item.line)
        remote.parameter = record.parameter
        for (method, write) in [("put", "update"), ("patch", "update"), ("delete", "delete")] {
            guard let operation = item[method] else { continue }
            remote.writes.insert(write)
            addBody(request(of: operation), of: name, remote: &remote, isNew: false)
        }
        remotes[name] = remote
        if item["put"] != nil, item["patch"] == nil { replaced.append(name) }
        addOthers(item, at: record.path, methods: ["post"])
    }

    /// The schema of the record that an operation returns.
    private func record(of operation: OpenAPINode, at path: String) -> String? {
        guard case .one(let name) = response(of: operation, at: path), document.schema(name) != nil else { return nil }
        return name
    }

    /// Reads what a path sends and returns, which tells which schemas are records.
    ///
    /// - Returns: The schemas of the records that it returns.
    private func readAll(_ item: OpenAPINode, at path: String) -> [String] {
        Self.methods.compactMap { method in
            guard let operation = item[method] else { return nil }
            let name = record(of: operation, at: path)
            _ = request(of: operation)
            return name
        }
    }

    private func addBody(_ body: OpenAPINode?, of name: String, remote: inout Remote, isNew: Bool = true) {
        guard let body else { return }
        let value = OpenAPIValue(body, in: document)
        if isNew { remote.created = value.node }
        let all = value.isObject ? properties.all(of: value.node) : []
        guard all.count == 1, value.name != name else { return }
        let inner = OpenAPIValue(all[0].node, in: document)
        guard inner.problem == nil, inner.isObject, !properties.all(of: inner.node).isEmpty else { return }
        remote.wrap = all[0].key
        if isNew { remote.created = inner.node }
    }

    // MARK: Bodies

    enum Payload {
        case one(String)
        case many(String)
        case other
    }

    private func response(of operation: OpenAPINode, at path: String) -> Payload {
        var result: Payload?
        for (status, node) in operation["responses"]?.entries ?? [] {
            guard let schema = schema(of: document.followed(node)) else { continue }
            let value = value(of: schema)
            guard status.hasPrefix("2") else {
                if let name = value.name { failed.insert(name) }
                continue
            }
            let content = payload(schema, at: path)
            if let name = value.name { returned.insert(name) }
            switch content {
            case .one(let name): returned.insert(name)
            case .many(let name):
                listed.insert(name)
                returned.insert(name)
                if let envelope = value.name, envelope != name { envelopes[envelope] = name }
            case .other: break
            }
            if result == nil { result = content }
        }
        return result ?? .other
    }

    private func request(of operation: OpenAPINode) -> OpenAPINode? {
        guard let schema = schema(of: document.followed(operation["requestBody"])) else { return nil }
        let value = value(of: schema)
        if let name = value.name { sent.insert(name) }
        return value.problem == nil ? schema : nil
    }

    private func value(of schema: OpenAPINode) -> OpenAPIValue {
        let value = OpenAPIValue(schema, in: document)
        if value.problem != nil, let reference = value.node["$ref"] {
            document.lose(reference, reference: reference.text ?? "")
        }
        return value
    }

    /// The schema of the first content that is JSON.
    private func schema(of body: OpenAPINode?) -> OpenAPINode? {
        guard let content = body?["content"], case .object(let types) = content.content else { return nil }
        let json = types.first { type in
            let name = type.key.prefix { $0 != ";" }.lowercased()
            return name == "application/json" || name.hasSuffix("+json") || name == "*/*"
        }
        return json.flatMap { content[$0.key]?["schema"] }
    }

    /// Returns the payload of a body: a record, or a list of records, which may be in an object of its own.
    private func payload(_ node: OpenAPINode, at path: String) -> Payload {
        let value = OpenAPIValue(node, in: document)
        guard value.problem == nil else { return .other }
        if let name = element(of: value, at: path) { return .many(name) }
        guard value.isObject else { return .other }
        if let name = value.name, identity.property(of: value.node, named: name) != nil { return .one(name) }
        let inner = properties.all(of: value.node).map { OpenAPIValue($0.node, in: document) }
        let lists = inner.compactMap { element(of: $0, at: path) }
        if lists.count == 1 { return .many(lists[0]) }
        let records = inner.filter { one in
            one.name.map { identity.property(of: one.node, named: $0) != nil } ?? false
        }
        if records.count == 1, inner.count <= 2, let name = records[0].name { return .one(name) }
        return value.name.map(Payload.one) ?? .other
    }

    /// The name of the elements of a list of objects. One that has no name gets that of the path.
    private func element(of value: OpenAPIValue, at path: String) -> String? {
        guard value.isArray, let items = value.node["items"] else { return nil }
        let element = OpenAPIValue(items, in: document)
        guard element.problem == nil, element.isObject else { return nil }
        if let name = element.name { return name }
        guard let last = path.split(separator: "/").last, !last.hasPrefix("{"),
            !properties.all(of: element.node).isEmpty
        else { return nil }
        return document.adopt(element.node, as: UsableName.type(Noun.singular(String(last))))
    }

    // MARK: Requests without a counterpart

    private func addOthers(_ item: OpenAPINode, at path: String, methods: [String], reason: String? = nil) {
        let present = methods.filter { item[$0] != nil }
        if present.isEmpty { return }
        let reason = reason.map { ": \($0)" } ?? ""
        others.append((item.line, present.map { $0.uppercased() }.joined(separator: ", ") + " \(path)\(reason)"))
    }

    /// The number of requests that have a note of their own.
    private static let noteLimit = 20

    private func reportOthers() {
        for other in others.sorted(by: { $0.line < $1.line }).prefix(Self.noteLimit) {
            notes.left(
                other.line, text: "\(other.text)", help: "Send it in a request of your own, or pull it with its path.")
        }
        let rest = others.count - Self.noteLimit
        if rest > 0 { notes.left(nil, text: "\(rest) more paths that are neither of all records nor of one record") }
    }
}
