import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync

extension RailsDialect {
    func record(_ key: String, of path: String, for request: ServerRequest, in state: ServerState) -> ServerResponse {
        guard let record = state.collections[path]?[key] else { return missing(key, at: path, in: state) }
        let headers = self.headers(of: record)
        if let lists = rules.nestedLists[path] {
            // The record's own tag does not change with its lists.
            return ServerResponse(200, json: wrapped(nesting(lists, in: record.json, key: key, state: state), at: path))
        }
        if isUnchanged(request, tag: record.tag, modifiedAt: record.modifiedAt) {
            return ServerResponse(304, headers: headers)
        }
        return ServerResponse(200, json: wrapped(record.json, at: path), headers: headers)
    }

    private func nesting(
        _ lists: [String: RailsRules.NestedList], in json: JSONValue, key: String, state: ServerState
    ) -> JSONValue {
        var json = json
        for (member, list) in lists {
            let records = state.collections[list.path]?.records ?? []
            json[member] = .array(records.map(\.json).filter { $0[list.key]?.plainText == key })
        }
        return json
    }

    func collection(_ path: String, for request: ServerRequest, in state: inout ServerState) -> ServerResponse {
        let nested = NestedPath(path)
        let source = nested.map { $0.collection(in: state) ?? path } ?? path
        let page = Page(request, rules: rules)
        if let changes = rules.changes, let start = changes.start(request) {
            return list(of: changes, since: start, page: page, at: source, for: request, in: state)
        }
        let lag = state.listTagSuffix(source)
        let tag = "W/\"c\(state.collections[source]?.contentHash ?? 0)-\(page.number)-\(page.size ?? 0)\(lag)\""
        var headers: HTTPFields = [:]
        headers[.eTag] = tag
        let modifiedAt = state.collections[source]?.modifiedAt
        headers[.lastModified] = modifiedAt.map(HTTPDate.text(of:))
        if isUnchanged(request, tag: tag, modifiedAt: modifiedAt) { return ServerResponse(304, headers: headers) }
        let filters = (nested?.filters ?? []) + page.filters
        let (records, total) = state.listed(source, filters: filters, from: page.start, count: page.size)
        let list = records.map { rules.changes?.stamped($0.json, date: $0.stampedAt) ?? $0.json }
        return response(to: request, records: list, of: source, page: page, total: total, headers: headers)
    }

    /// - Parameter deleted: The identities beside the list, and their key.
    private func response(
        to request: ServerRequest, records: [JSONValue], of path: String, page: Page, total: Int,
        headers: HTTPFields = [:], deleted: (key: String, identities: [JSONValue])? = nil
    ) -> ServerResponse {
        var headers = headers
        if rules.linksPages { headers[HTTPField.Name.link] = page.links(request, total: total) }
        headers[HTTPField.Name.totalCount] = String(total)
        let list = JSONValue.array(records)
        guard rules.wrapsResponses, let key = rules.wrapKeys[path] else {
            return ServerResponse(200, json: list, headers: headers)
        }
        var document: JSONValue = .object([key + "s": list])
        if let deleted { document[deleted.key] = .array(deleted.identities) }
        return ServerResponse(200, json: document, headers: headers)
    }

    /// Returns the changes since a time.
    private func list(
        of changes: RailsChanges, since start: Date, page: Page, at path: String, for request: ServerRequest,
        in state: ServerState
    ) -> ServerResponse {
        if changes.isForgotten(start, now: state.now) { return failure(410, reason: "Gone") }
        let (collection, identityKey) = (state.collections[path], identityKey(of: path))
        let all = changes.records(of: collection, since: start, identityKey: identityKey)
        let records = all.dropFirst(page.start).prefix(page.size ?? all.count)
        return response(
            to: request, records: Array(records), of: path, page: page, total: all.count,
            deleted: changes.deleted(in: collection, since: start, identityKey: identityKey))
    }

    func headers(of record: ServerRecord) -> HTTPFields {
        var headers: HTTPFields = [:]
        headers[.eTag] = record.tag
        headers[.lastModified] = HTTPDate.text(of: record.modifiedAt)
        return headers
    }

    /// Whether the client's copy is current (RFC 9110, 13.2.2). A tag takes precedence over a time, and times have
    /// whole seconds.
    private func isUnchanged(_ request: ServerRequest, tag: String, modifiedAt: Date?) -> Bool {
        if let known = request.headers[.ifNoneMatch] { return known == tag || known == "*" }
        guard
            let since = request.headers[.ifModifiedSince].flatMap({
                HTTPDate.date(from: $0, now: modifiedAt ?? .distantPast)
            }),
            let modifiedAt
        else { return false }
        return modifiedAt.timeIntervalSince1970.rounded(.down) <= since.timeIntervalSince1970
    }
}

/// The requested part of a collection, and its filters.
private struct Page {
    let number: Int
    let size: Int?
    let filters: [(name: String, value: String)]

    init(_ request: ServerRequest, rules: RailsRules) {
        number = max(1, request.parameter("page").flatMap(Int.init) ?? 1)
        let asked = request.parameter("per_page").flatMap(Int.init)
        size = rules.pageSize.map { min(max(1, asked ?? $0), $0) }
        filters = request.query.filter { $0.name != "page" && $0.name != "per_page" }.map { ($0.name, $0.value ?? "") }
    }

    /// The index of the first record. Without pages, the second page is empty.
    var start: Int { size.map { (number - 1) * $0 } ?? (number == 1 ? 0 : .max) }

    /// The `Link` header (RFC 8288); `nil` if there is only one page.
    func links(_ request: ServerRequest, total: Int) -> String? {
        guard let size, total > size else { return nil }
        let last = (total + size - 1) / size
        var relations = [("first", 1)]
        if number > 1 { relations.append(("prev", number - 1)) }
        if number < last { relations.append(("next", number + 1)) }
        relations.append(("last", last))
        return relations.map { "<\(address(request, page: $1))>; rel=\"\($0)\"" }.joined(separator: ", ")
    }

    private func address(_ request: ServerRequest, page: Int) -> String {
        var components = URLComponents()
        components.path = request.path
        components.queryItems =
            request.query.filter { $0.name != "page" } + [URLQueryItem(name: "page", value: String(page))]
        let query = components.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B") ?? ""
        let origin = request.headers[HTTPField.Name.hostName].map { "http://" + $0 } ?? ""
        return "\(origin)\(components.percentEncodedPath)?\(query)"
    }
}

extension ServerRecord {
    /// The version as an `ETag`.
    var tag: String { "\"\(version)\"" }
}

extension HTTPField.Name {
    static let link = HTTPField.Name("Link") ?? .eTag
    static let totalCount = HTTPField.Name("X-Total-Count") ?? .eTag
}
