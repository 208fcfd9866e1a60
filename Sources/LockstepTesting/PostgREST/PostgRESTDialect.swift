import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync

/// The dialect of PostgREST.
struct PostgRESTDialect: ServerDialect {
    let rules: PostgRESTRules

    func response(to request: ServerRequest, in state: inout ServerState) -> ServerResponse {
        if let refusal = credentialsRefusal(request, in: state) { return refusal }
        let path = request.path
        guard rules.tables.isEmpty || rules.tables[path] != nil else {
            return failure(
                404, code: "PGRST205",
                message: "Could not find the table 'public.\(request.parts.last ?? "")' in the schema cache")
        }
        do {
            switch request.method {
            case .get: return try read(path, for: request, in: state)
            case .post: return try insert(path, for: request, in: &state)
            case .patch: return try update(path, for: request, in: &state)
            case .delete: return try delete(path, for: request, in: &state)
            default:
                return failure(405, code: "PGRST117", message: "Unsupported HTTP method: \(request.method.rawValue)")
            }
        } catch {
            return error.response
        }
    }

    struct Refusal: Error {
        let response: ServerResponse
    }

    func failure(
        _ status: Int, code: String, message: String, details: String? = nil, hint: String? = nil
    ) -> ServerResponse {
        ServerResponse(
            status,
            json: [
                "code": .string(code), "message": .string(message), "details": details.map(JSONValue.string) ?? .null,
                "hint": hint.map(JSONValue.string) ?? .null,
            ])
    }

    private func credentialsRefusal(_ request: ServerRequest, in state: ServerState) -> ServerResponse? {
        if let key = rules.apiKey, HTTPField.Name("apikey").flatMap({ request.headers[$0] }) != key {
            return ServerResponse(401, json: ["message": "Invalid API key"])
        }
        guard let tokens = state.tokens else { return nil }
        guard let field = request.headers[.authorization], field.hasPrefix("Bearer ") else {
            return failure(401, code: "PGRST302", message: "Anonymous access is disabled")
        }
        guard let expiry = tokens[String(field.dropFirst(7))] else {
            return failure(401, code: "PGRST301", message: "JWSError JWSInvalidSignature")
        }
        return expiry > state.now ? nil : failure(401, code: "PGRST303", message: "JWT expired")
    }

    // MARK: Reading

    private func read(
        _ path: String, for request: ServerRequest, in state: ServerState
    ) throws(Refusal) -> ServerResponse {
        let query = try PostgRESTQuery(request, path: path, dialect: self)
        // Rows are in the order of their last change, as in a heap without vacuum.
        let rows = (state.collections[path]?.records ?? []).sorted { $0.version < $1.version }.map(\.json)
            .filter { rules.maySee(path, $0) && query.includes($0) }
        let page = query.page(of: query.sorted(rows), at: rules.maximumRows)
        var headers: HTTPFields = [:]
        let range = page.isEmpty ? "*" : "\(query.offset)-\(query.offset + page.count - 1)"
        headers[.contentRange] = "\(range)/*"
        return ServerResponse(200, json: .array(page), headers: headers)
    }

    // MARK: Writing

    private func insert(
        _ path: String, for request: ServerRequest, in state: inout ServerState
    ) throws(Refusal) -> ServerResponse {
        _ = try PostgRESTQuery(request, path: path, dialect: self)
        let body = try body(of: request)
        let sent: [JSONValue] = if case .array(let rows) = body { rows } else { [body] }
        var written: [JSONValue] = []
        var isNew = false
        // One statement: nothing is written if a row is rejected.
        var after = state
        for row in sent {
            try checkColumns(of: row, in: path)
            guard let key = rules.key(of: row, in: path), let current = after.collections[path]?[key]?.json else {
                written.append(try put(row, over: nil, at: path, in: &after))
                isNew = true
                continue
            }
            if request.prefers("resolution=merge-duplicates") {
                guard rules.mayWrite(path, current) else {
                    throw Refusal(
                        response: failure(
                            403, code: "42501",
                            message: "new row violates row-level security policy for table \"\(name(of: path))\""))
                }
                written.append(try put(row, over: current, at: path, in: &after))
            } else if !request.prefers("resolution=ignore-duplicates") {
                throw duplicate(rules.keys(of: path), row: row, at: path, index: "pkey")
            }
        }
        state = after
        return response(isNew || written.isEmpty ? 201 : 200, rows: written, for: request)
    }

    private func update(
        _ path: String, for request: ServerRequest, in state: inout ServerState
    ) throws(Refusal) -> ServerResponse {
        let query = try PostgRESTQuery(request, path: path, dialect: self)
        let sent = try body(of: request)
        try checkColumns(of: sent, in: path)
        var written: [JSONValue] = []
        var after = state
        for row in state.records(of: path) where query.includes(row) && isWritable(row, at: path) {
            written.append(try put(sent, over: row, at: path, in: &after))
        }
        state = after
        return response(request.prefers("return=representation") ? 200 : 204, rows: written, for: request)
    }

    private func delete(
        _ path: String, for request: ServerRequest, in state: inout ServerState
    ) throws(Refusal) -> ServerResponse {
        let query = try PostgRESTQuery(request, path: path, dialect: self)
        let rows = state.records(of: path).filter { query.includes($0) && isWritable($0, at: path) }
        for row in rows {
            if let key = rules.key(of: row, in: path) { state.remove(key, from: path) }
        }
        return response(request.prefers("return=representation") ? 200 : 204, rows: rows, for: request)
    }

    private func isWritable(_ row: JSONValue, at path: String) -> Bool {
        rules.maySee(path, row) && rules.mayWrite(path, row)
    }

    private func response(_ status: Int, rows: [JSONValue], for request: ServerRequest) -> ServerResponse {
        guard request.prefers("return=representation") else { return ServerResponse(status) }
        return ServerResponse(status, json: .array(rows))
    }

    /// Writes a row.
    ///
    /// - Parameter current: The row that is updated; `nil` for a new one.
    /// - Returns: The row as it is now.
    private func put(
        _ sent: JSONValue, over current: JSONValue?, at path: String, in state: inout ServerState
    ) throws(Refusal) -> JSONValue {
        guard case .object(let columns) = sent else {
            throw Refusal(response: failure(400, code: "PGRST102", message: "Empty or invalid json"))
        }
        var row = current ?? [:]
        for (column, value) in columns { row[column] = value }
        rules.fill?(&row, state.now, current == nil)
        rules.countVersion(&row, of: path, after: current)
        let former = current.flatMap { rules.key(of: $0, in: path) }
        let key = rules.key(of: row, in: path) ?? state.number(&row, in: path, rules: rules)
        for column in (rules.required[path] ?? []).sorted() where (row[column] ?? .null) == .null {
            throw Refusal(
                response: failure(
                    400, code: "23502",
                    message: "null value in column \"\(column)\" of relation \"\(name(of: path))\" violates not-null "
                        + "constraint",
                    details: "Failing row contains (\(key))."))
        }
        for column in (rules.unique[path] ?? []).sorted() {
            guard let value = row[column], value != .null else { continue }
            let isTaken = state.records(of: path).contains {
                $0[column] == value && rules.key(of: $0, in: path) != (former ?? key)
            }
            if isTaken { throw duplicate([column], row: row, at: path, index: "\(column)_key") }
        }
        if let former, former != key { state.remove(former, from: path) }
        state.put(row, at: key, in: path, sent: sent)
        return row
    }

    private func duplicate(_ columns: [String], row: JSONValue, at path: String, index: String) -> Refusal {
        let values = columns.map { row[$0]?.plainText ?? "null" }.joined(separator: ", ")
        return Refusal(
            response: failure(
                409, code: "23505",
                message: "duplicate key value violates unique constraint \"\(name(of: path))_\(index)\"",
                details: "Key (\(columns.joined(separator: ", ")))=(\(values)) already exists."))
    }

    private func body(of request: ServerRequest) throws(Refusal) -> JSONValue {
        guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
            throw Refusal(response: failure(415, code: "PGRST107", message: "None of these media types are available"))
        }
        guard let json = try? JSONValue(json: request.body) else {
            throw Refusal(response: failure(400, code: "PGRST102", message: "Empty or invalid json"))
        }
        return json
    }

    private func checkColumns(of row: JSONValue, in path: String) throws(Refusal) {
        guard case .object(let members) = row, let columns = rules.tables[path] ?? nil else { return }
        guard let unknown = members.keys.sorted().first(where: { !columns.contains($0) }) else { return }
        throw Refusal(
            response: failure(
                400, code: "PGRST204",
                message: "Could not find the '\(unknown)' column of '\(name(of: path))' in the schema cache"))
    }

    func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }
}

extension ServerRequest {
    /// Whether the field `Prefer` has a preference.
    fileprivate func prefers(_ preference: String) -> Bool {
        guard let name = HTTPField.Name("Prefer"), let field = headers[name] else { return false }
        return field.split(separator: ",").contains { $0.trimmingCharacters(in: .whitespaces) == preference }
    }
}
