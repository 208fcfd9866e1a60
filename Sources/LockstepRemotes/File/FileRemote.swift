public import Foundation
import LockstepJSON
import LockstepSystem
import LockstepTables

/// A JSON file as a server, for demonstrations, tests and previews: `{"tasks": [{"id": 1, "title": "Milk"}]}`, or a
/// bare list if there is only one entity.
///
/// ```swift
/// let remote = FileRemote(URL(fileURLWithPath: "remote.json"))
/// ```
///
/// A collection is stored under its path, without slashes at its ends. Parameters filter by members of the records.
/// Records whose identity is assigned by the server get integers or, if the identity is not an integer, the change's
/// idempotency key.
///
/// Each change writes the whole file atomically. A file next to it, `.remote.json.keys`, records which change created
/// which record, so that one that is sent twice is created once (rule P10). It also serves as a lock, for other
/// processes too, while a change is made. A missing file is not an empty server: reading returns that it is absent, and
/// the first change creates it.
public struct FileRemote: Remote {
    /// The file.
    package let url: URL
    @_spi(Requirements) public let traits: RemoteTraits

    /// Creates a server from a file.
    ///
    /// - Parameters:
    ///   - url: The file. It is created by the first change.
    ///   - sendsEmbedded: Whether embedded records are stored inside their owners.
    public init(_ url: URL, sendsEmbedded: Bool = false) {
        self.url = url
        traits = RemoteTraits(sendsEmbedded: sendsEmbedded, maximumConcurrentChanges: 1)
    }

    @_spi(Requirements) public func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        try Task.checkCancellation()
        guard let document = try read() else { return .absent }
        return try checked(request.entity) {
            switch request.target {
            case .record(let identity):
                guard let record = try document.record(identity, of: request.entity) else { return .absent }
                return .records(FetchResponse.Records(body: .data(try record.json())))
            case .collection, .path:
                let path = if case .path(let path) = request.target { path } else { request.entity.path }
                let records = try document.records(in: RecordDocument.name(ofPath: path))
                let body = try JSONValue.array(Self.filtered(records, by: request.query)).json()
                return .records(FetchResponse.Records(body: .data(body)))
            }
        }
    }

    @_spi(Requirements) public func send(_ change: OutgoingChange) async throws -> SendResponse {
        try Task.checkCancellation()
        let keys = try MadeRecords(beside: url)
        defer { keys.close() }
        return try checked(change.entity) {
            var document = try read() ?? RecordDocument()
            let response = try Self.apply(change, to: &document, keys: keys)
            if case .accepted = response { try write(document) }
            return response
        }
    }

    // MARK: Changes

    private static func apply(
        _ change: OutgoingChange, to document: inout RecordDocument, keys: MadeRecords
    ) throws -> SendResponse {
        guard change.kind != .create else { return try create(change, in: &document, keys: keys) }
        guard let identity = change.identity else { return .absent }
        switch change.kind {
        case .delete: return try document.delete(identity, of: change.entity) ? .accepted(body: nil) : .absent
        case .create, .update:
            let changes = try JSONValue(json: change.changes)
            let record = try document.patch(changes, identity: identity, of: change.entity)
            return try record.map { .accepted(body: try $0.json()) } ?? .absent
        }
    }

    private static func create(
        _ change: OutgoingChange, in document: inout RecordDocument, keys: MadeRecords
    ) throws -> SendResponse {
        if let identity = try keys.identity(ofRecordMadeBy: change.idempotencyKey),
            let record = try document.record(identity, of: change.entity)
        {
            return .accepted(body: try record.json(), identity: identity)
        }
        let identity = try change.identity ?? newIdentity(for: change, in: document, keys: keys)
        if change.identity != nil, try document.record(identity, of: change.entity) != nil {
            return .refused(status: 409, body: Data(#"{"error": "there is such a record already"}"#.utf8))
        }
        // Before anything else, so that a process that ends here creates the same record the next time.
        try keys.add(identity, madeBy: change.idempotencyKey, in: RecordDocument.name(of: change.entity))
        let record = try document.put(JSONValue(json: change.body), identity: identity, of: change.entity)
        return .accepted(body: try record.json(), identity: identity)
    }

    private static func newIdentity(
        for change: OutgoingChange, in document: RecordDocument, keys: MadeRecords
    ) throws -> RemoteIdentity {
        // An identity that was assigned already is not used for another record, even if this one was never written.
        if let identity = try keys.identity(ofRecordMadeBy: change.idempotencyKey) { return identity }
        guard change.entity.hasWholeNumbers else { return RemoteIdentity([.string(change.idempotencyKey)]) }
        let given = try keys.greatestIdentity(in: RecordDocument.name(of: change.entity))
        let (next, isTooLarge) = max(given, try document.greatestIdentity(of: change.entity)).addingReportingOverflow(1)
        guard !isTooLarge else { throw RecordDocument.Malformed(description: "there is no greater identity") }
        return RemoteIdentity([.integer(next)])
    }

    /// The records with these values. Parameters that are not members of any record are ignored.
    private static func filtered(_ records: [JSONValue], by query: [URLQueryItem]) -> [JSONValue] {
        query.reduce(records) { records, item in
            guard records.contains(where: { $0[path: [item.name]] != nil }) else { return records }
            return records.filter { record in
                ExactText(RemoteIdentity([record[path: [item.name]] ?? .null]).text) == ExactText(item.value ?? "")
            }
        }
    }

    // MARK: The file

    private func read() throws -> RecordDocument? {
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return nil
        } catch {
            throw unreadable(error)
        }
        do {
            return try RecordDocument(JSONValue(json: data))
        } catch {
            throw malformed(error, of: nil)
        }
    }

    private func write(_ document: RecordDocument) throws {
        let data = try document.root.json(isPretty: true)
        do {
            try PrivateFile.write(data, to: url)
        } catch {
            throw unreadable(error)
        }
    }

    private func checked<Result>(_ entity: RemoteEntity, body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as RecordDocument.Malformed {
            throw malformed(error, of: entity)
        } catch let error as JSONSyntaxError {
            throw malformed(error, of: entity)
        }
    }

    private func malformed(_ error: any Error, of entity: RemoteEntity?) -> SyncError {
        SyncError(
            .malformed, request: url.lastPathComponent, entity: entity?.name, reason: "\(error)",
            remedy: "Fix the file: it must be an object of lists of records, or one list.", underlyingError: error)
    }

    private func unreadable(_ error: any Error) -> SyncError {
        SyncError(
            .network, request: url.lastPathComponent, reason: "the file cannot be read or written",
            remedy: "Check its folder and its permissions.", underlyingError: error)
    }
}
