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
        /// Whether a request lists the records.
        var isListed = false
        /// The key of the list in its response, unless it is the last part of the path.
        var listKey: String?
        /// The body of `POST`.
        var created: OpenAPINode?
        /// Whether the list is that of a search.
        var isSearch = false
        /// The query parameters without which there is no list.
        var parameters: [String] = []
        /// The schema whose records are below the path, if this one is what the list has of them.
        var record: String?
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
    private var others: [(line: Int, text: String, isRead: Bool)] = []
    private(set) var hasPaths = false
    /// The schemas whose records are changed with `PUT` only.
    private(set) var replaced: [String] = []

    static let methods = ["get", "post", "put", "patch", "delete"]

    init(_ document: OpenAPIDocument, properties: OpenAPIProperties, notes: ImportNotes) {
        (self.document, self.properties, self.notes) = (document, properties, notes)
        identity = OpenAPIIdentity(document, properties: properties)
    }

    func read() {
        let paths = document.root["paths"]?.entries ?? []
        let items = paths.map { (path: Self.trimmed($0.key), node: $0.value) }
        hasPaths = !items.isEmpty
        let slashes = paths.filter { $0.key.count > 1 && $0.key.hasSuffix("/") }
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
        var (name, listKey): (String?, String?)
        if case .many(let element, let key)? = list { (name, listKey) = (element, key) }
        if name == nil, list == nil {
            if case .one(let element) = created { name = element }
            if name == nil, let body, case .one(let element) = payload(body, at: path) { name = element }
        }
        if let found = name, document.schema(found) == nil { name = nil }
        return .init(
            path: path, item: item, name: name, body: body, canCreate: post.map(takesJSON) ?? false,
            isListed: list != nil, listKey: path.split(separator: "/").last.map(String.init) == listKey ? nil : listKey,
            parameters: requiredParameters(of: item))
    }

    /// The query parameters that a request for a list must have.
    private func requiredParameters(of item: OpenAPINode) -> [String] {
        let all = [item, item.peek("get")].flatMap { $0?.peek("parameters")?.peekedElements ?? [] }
        return all.compactMap { node in
            node.peek("in")?.text == "query" && node.peek("required")?.bool == true ? node.peek("name")?.text : nil
        }
    }

    private func add(_ collection: OpenAPIPathChoice.Collection, chosen: OpenAPIPathChoice) {
        let (path, item) = (collection.path, collection.item)
        guard let listed = collection.name else { return addOthers(item, at: path, methods: Self.methods) }
        let record = chosen.name(at: path)
        guard chosen.path(of: listed) == path || !collection.isListed && record != nil else {
            let own = chosen.path(of: listed) ?? nested[listed] ?? ""
            return addOthers(item, at: path, methods: Self.methods, reason: "\(listed) has '\(own)'")
        }
        let name = record ?? listed
        var remote = Remote(
            path: path, line: item.line, isListed: collection.isListed, listKey: collection.listKey,
            isSearch: collection.isSearch, parameters: collection.parameters)
        if collection.isListed, name != listed {
            remotes[listed] = remote
            remotes[listed]?.record = name
            remote.isListed = isIdentified(listed)
        }
        if collection.canCreate, !collection.isSearch {
            remote.writes.insert("create")
            addBody(collection.body, of: name, remote: &remote)
        } else {
            addOthers(item, at: path, methods: ["post"], reason: collection.canCreate ? nil : Self.notJSON)
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
        let name = ["get", "put", "patch"].compactMap { method in item[method].flatMap { record(of: $0, at: path) } }
            .first { isIdentified($0, by: parameter) }
        return .init(path: path, parent: parent, parameter: parameter, item: item, names: names, name: name)
    }

    private func isIdentified(_ name: String, by parameter: String? = nil) -> Bool {
        document.schema(name).map {
            identity.property(of: $0, named: name, parameter: parameter, isListed: true) != nil
        } ?? false
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
            let body = request(of: operation)
            guard takesJSON(operation) else {
                addOthers(item, at: record.path, methods: [method], reason: Self.notJSON)
                continue
            }
            remote.writes.insert(write)
            addBody(body, of: name, remote: &remote, isNew: false)
        }
        remotes[name] = remote
        if let put = item["put"], takesJSON(put), item["patch"] == nil { replaced.append(name) }
        addOthers(item, at: record.path, methods: ["post"])
        let read = item["get"].flatMap { self.record(of: $0, at: record.path) }
        if let read, read != name, isIdentified(read, by: record.parameter) {
            let reason = "it returns \(read), and \(name) has '\(remote.path)'"
            addOthers(item, at: record.path, methods: ["get"], reason: reason)
        }
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
        /// The key is that of the list in its object.
        case many(String, key: String? = nil)
        case other
    }

    private func response(of operation: OpenAPINode, at path: String) -> Payload {
        var result: Payload?
        for (status, node) in operation["responses"]?.entries ?? [] {
            guard let schema = schema(of: node) else { continue }
            let value = value(of: schema)
            guard status.hasPrefix("2") else {
                if let name = value.name { failed.insert(name) }
                continue
            }
            let content = payload(schema, at: path)
            if let name = value.name { returned.insert(name) }
            switch content {
            case .one(let name): returned.insert(name)
            case .many(let name, _):
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
        let body = operation["requestBody"]
        for type in body?.peek("content")?.peekedEntries ?? [] {
            if let schema = type.value.peek("schema") { sent.formUnion(names(in: schema)) }
        }
        guard let schema = schema(of: body) else { return nil }
        return value(of: schema).problem == nil ? schema : nil
    }

    /// The name of the schema of a body, or those that it consists of.
    private func names(in schema: OpenAPINode, depth: Int = 0) -> [String] {
        let value = OpenAPIValue(schema, in: document)
        guard value.problem == nil, depth < Self.bodyDepth else { return [] }
        if let name = value.name { return [name] }
        let inner = value.isObject ? properties.all(of: value.node).map(\.node) : [value.node.peek("items")]
        return inner.compactMap(\.self).flatMap { names(in: $0, depth: depth + 1) }
    }

    /// How deep the schemas of a body are looked for: `{ data: [Order] }`.
    private static let bodyDepth = 3

    private static let notJSON = "its body is not JSON"

    /// Whether a body can be JSON, or is not described.
    private func takesJSON(_ operation: OpenAPINode) -> Bool {
        guard let types = operation["requestBody"]?.peek("content")?.peekedEntries else {
            return true
        }
        return types.isEmpty || types.contains { Self.isJSON($0.key) }
    }

    private static func isJSON(_ type: String) -> Bool {
        let name = type.prefix { $0 != ";" }.lowercased()
        return name == "application/json" || name.hasSuffix("+json") || name == "*/*"
    }

    private func value(of schema: OpenAPINode) -> OpenAPIValue {
        let value = OpenAPIValue(schema, in: document)
        if value.problem != nil, let reference = value.node["$ref"] {
            document.lose(reference)
        }
        return value
    }

    /// The schema of the first content that is JSON.
    private func schema(of body: OpenAPINode?) -> OpenAPINode? {
        let content = body?["content"]
        let json = content?.peekedEntries.first { Self.isJSON($0.key) }
        return json.flatMap { content?[$0.key]?["schema"] }
    }

    /// Returns the payload of a body: a record, or a list of records, which may be in an object of its own.
    private func payload(_ node: OpenAPINode, at path: String) -> Payload {
        let value = OpenAPIValue(node, in: document)
        guard value.problem == nil else { return .other }
        if let name = element(of: value, at: path) { return .many(name) }
        guard value.isObject else { return .other }
        if let name = value.name, identity.property(of: value.node, named: name) != nil { return .one(name) }
        let all = properties.all(of: value.node)
        let inner = all.map { OpenAPIValue($0.node, in: document) }
        let lists = zip(all, inner).compactMap { property, list in
            element(of: list, at: path).map { (name: $0, key: property.key) }
        }
        if lists.count == 1 { return .many(lists[0].name, key: lists[0].key) }
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
        let text = present.map { $0.uppercased() }.joined(separator: ", ") + " \(path)\(reason)"
        others.append((item.line, text, present.contains("get")))
    }

    private func reportOthers() {
        for other in others.sorted(by: { $0.line < $1.line }) {
            notes.left(
                other.line, text: other.text,
                help: "Send it in a request of your own\(other.isRead ? ", or pull it with its path" : "").")
        }
    }
}
