import Foundation
import HTTPTypes

extension HTTPField.Name {
    fileprivate static let link = HTTPField.Name("Link")!
}

extension RESTRemote {
    @_spi(Requirements) public func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let conventions = conventions(of: request.entity)
        let exchange = try await read(
            request, at: address(of: request, conventions: conventions), fields: conventions.readingFields)
        return try await response(in: exchange, to: request, conventions: conventions)
    }

    /// Requests what has changed since it was read before.
    func read(_ request: RemoteRequest, at address: RemoteAddress, fields: HTTPFields) async throws -> RemoteExchange {
        var fields = fields
        let known = try await request.validators(address.absolute)
        if traits.hasVersions, request.identity != nil { fields.askForUnchangedTag() }
        if let tag = known?.entityTag { fields[.ifNoneMatch] = tag }
        if let startedAt = known?.startedAt { fields[.ifModifiedSince] = HTTPDate.text(of: startedAt) }
        return try await RemoteExchange.send(
            .get, address: address, fields: fields, subject: (request.entity, request.identity), client: client,
            clock: clock)
    }

    /// Returns the meaning of a response.
    func response(
        in exchange: RemoteExchange, to request: RemoteRequest, conventions: RESTConventions
    ) async throws -> FetchResponse {
        if request.since != nil, conventions.reads.changes?.expiredStatuses.contains(exchange.status) == true {
            return .expired
        }
        switch exchange.meaning {
        case .success:
            do {
                return .records(try await records(of: exchange, for: request, conventions: conventions))
            } catch is RecordForm.NoRecord {
                return .absent
            } catch is DeletedRecord {
                return .gone
            }
        case .notModified where exchange.isConditional: return .notModified(address: exchange.address.absolute)
        case .absent:
            if request.identity != nil { try await check(exchange, conventions: conventions) }
            // A page of a collection may have disappeared since the one before was read. A filtered collection that
            // does not exist says nothing about the record.
            let isPart = request.identity == nil ? request.page != nil : !conventions.addresses.records.isFilter
            if isPart { return exchange.status == 410 && request.identity != nil ? .gone : .absent }
            throw exchange.error(
                .notFound, reason: "the server has no collection at \(exchange.address.path) (\(exchange.status))",
                remedy: "Check the path of the entity (`remote: { path: … }`), and the address of the remote.")
        case .refused:
            try await check(exchange, conventions: conventions)
            throw exchange.failure
        default: throw exchange.failure
        }
    }

    /// Checks whether a rejection comes from the server itself.
    private func check(_ exchange: RemoteExchange, conventions: RESTConventions) async throws {
        if conventions.writes.acknowledgements.includeErrorPages { return }
        try exchange.checkRefusal(await exchange.response.body.beginning(upTo: RemoteExchange.refusalLimitBytes))
    }

    private func address(of request: RemoteRequest, conventions: RESTConventions) throws -> RemoteAddress {
        if let page = try namedPage(of: request, conventions: conventions) { return page }
        var address: RemoteAddress
        switch request.target {
        case .collection: address = try collectionAddress(of: request.entity, method: .get)
        case .path(let path): address = try RemoteAddress(base: url).appending(path: path)
        case .record(let identity):
            return try recordAddress(of: identity, in: request.entity, method: .get).appending(request.query)
        }
        return
            address
            .appending(request.since.flatMap { conventions.reads.changes?.parameter(since: $0) }.map { [$0] } ?? [])
            .appending(conventions.reads.paging.parameters(of: request.page))
            .appending(conventions.reads.collectionQuery?(request.entity) ?? [])
            .appending(request.query)
    }

    /// The address of the page, if the page before has named it.
    func namedPage(of request: RemoteRequest, conventions: RESTConventions) throws -> RemoteAddress? {
        guard conventions.reads.paging.namesAddresses, let page = request.page else { return nil }
        return try sameServer(page, as: try RemoteAddress(base: url), for: request)
    }

    /// The address of a page from a response. If it is on another server, it is not used, and the collection does not
    /// count as complete.
    private func sameServer(
        _ page: String, as address: RemoteAddress, for request: RemoteRequest
    ) throws -> RemoteAddress {
        guard let next = address.resolving(page), next.isSameOrigin(as: address) else {
            throw SyncError(
                .insecureAddress, request: "GET \(address.shown)", entity: request.entity.name,
                reason: "the next page is on another server",
                remedy: "Make the server's link contain its own address, or set the paging to something else."
            ).aboutResponse()
        }
        return next
    }

    // MARK: Responses

    private func records(
        of exchange: RemoteExchange, for request: RemoteRequest, conventions: RESTConventions
    ) async throws -> FetchResponse.Records {
        var records: FetchResponse.Records
        if request.identity != nil {
            records = try await record(of: exchange, for: request)
        } else {
            records = try await page(of: exchange, for: request, conventions: conventions)
        }
        // Such an address is used once.
        if request.since != nil { return records }
        records.address = exchange.address.absolute
        let tag = exchange.fields[.eTag]
        let isDated = exchange.fields[.lastModified] != nil
        if tag != nil || isDated {
            let start = isDated ? Self.start(exchange.startedAt, by: exchange.fields[.date], now: clock.now) : nil
            records.validators = Validators(entityTag: tag, startedAt: start, next: records.next)
        }
        return records
    }

    /// When a request was started, by the earlier of the two clocks. Otherwise, a device whose clock is ahead would
    /// claim to know what it has not read.
    private static func start(_ startedAt: Date, by field: String?, now: Date) -> Date {
        min(startedAt, serverTime(startedAt, by: field, now: now) ?? startedAt)
    }

    /// When a request was started, by the clock of the server; `nil` if the response has no `Date`.
    private static func serverTime(_ startedAt: Date, by field: String?, now: Date) -> Date? {
        guard let responded = field.flatMap({ HTTPDate.date(from: $0, now: now) }) else { return nil }
        return responded.addingTimeInterval(min(startedAt.timeIntervalSince(now), 0))
    }

    private func record(of exchange: RemoteExchange, for request: RemoteRequest) async throws -> FetchResponse.Records {
        let body = try await exchange.collected(upTo: RemoteExchange.recordLimitBytes)
        if ResponseBody.isPage(body) { throw exchange.unexpected("an HTML page") }
        let version = traits.hasVersions ? exchange.version : nil
        do {
            let record = try form(of: request.entity).record(in: body)
            if let changes = conventions(of: request.entity).reads.changes,
                ChangesPage(changes: changes, entity: request.entity).isDeleted(record)
            {
                throw DeletedRecord()
            }
            return FetchResponse.Records(body: .data(record), version: version)
        } catch let problem as RecordForm.WrongShape {
            throw exchange.malformed(problem)
        }
    }

    private func page(
        of exchange: RemoteExchange, for request: RemoteRequest, conventions: RESTConventions
    ) async throws -> FetchResponse.Records {
        let serverTime = Self.serverTime(exchange.startedAt, by: exchange.fields[.date], now: clock.now)
        let (first, received) = try await exchange.response.body.startingBytes()
        if ResponseBody.isPage(first) { throw exchange.unexpected("an HTML page") }
        let form = form(of: request.entity)
        var records = FetchResponse.Records(
            body: received, payload: shape(of: first, address: exchange.address, conventions: conventions),
            isSnapshot: conventions.reads.hasSnapshotPages)
        if case .link = conventions.reads.paging { records.next = try linkedPage(after: exchange, for: request) }
        let changes = conventions.reads.changes
        if request.isCollection, changes?.isByServerTime == true {
            records.watermark = try timeWatermark(request, in: exchange, serverTime: serverTime)
        }
        let readsPages = changes?.readsPages(isCollection: request.isCollection) == true
        if conventions.reads.paging.collectsPages || form.extractsLists || readsPages {
            let page = try await received.collected(upTo: RemoteExchange.recordLimitBytes)
            var list = try list(in: page, records: &records, exchange: exchange, for: request, form: form)
            if let changes, readsPages {
                try readChanges(
                    in: &list, of: page, records: &records, changes: changes, exchange: exchange, for: request,
                    serverTime: serverTime)
            }
            records.body =
                request.entity.wrapKey.map { .unwrappingElements($0, first: list, rest: .empty) } ?? .data(list)
        } else if let key = request.entity.wrapKey {
            records.body = HTTPBody.unwrappingElements(key, first: first, rest: exchange.response.body)
        }
        return records
    }

    /// The address of the next page in the response's `Link`; `nil` if there is none.
    private func linkedPage(after exchange: RemoteExchange, for request: RemoteRequest) throws -> String? {
        let links = exchange.fields[values: .link].flatMap { LinkHeader($0).links }
        guard let link = links.first(where: { $0.relations.contains("next") })?.target else { return nil }
        return try address(link, in: exchange, for: request, problem: "the Link to the next page is not an address")
    }

    private func address(
        _ text: String, in exchange: RemoteExchange, for request: RemoteRequest, problem: String
    ) throws -> String {
        guard let page = exchange.resolving(text) else {
            throw exchange.error(.malformed, reason: problem, remedy: "Fix the server.")
        }
        return try sameServer(page.absolute, as: exchange.address, for: request).absolute
    }

    /// Reads a page that was received as a whole.
    ///
    /// - Parameter records: Set to the shape of the list, and to the page after it.
    /// - Returns: The list, if it must be extracted; otherwise the page.
    private func list(
        in page: Data, records: inout FetchResponse.Records, exchange: RemoteExchange, for request: RemoteRequest,
        form: RecordForm
    ) throws -> Data {
        let paging = conventions(of: request.entity).reads.paging
        var list = page
        do {
            if form.extractsLists { (list, records.payload) = (try form.list(in: page), .records) }
            if paging.collectsPages {
                // A page that is not a list says nothing about others.
                let count = try RecordCount.count(of: list, shape: records.payload)
                records.next = try paging.next(after: request.page, count: count) ?? paging.next(in: page)
            }
        } catch let problem as RecordForm.WrongShape {
            throw exchange.malformed(problem)
        } catch let problem as RESTPaging.NextPageProblem {
            throw exchange.error(.malformed, reason: problem.reason, remedy: RESTPaging.NextPageProblem.remedy)
        } catch {
            throw exchange.error(
                .malformed, reason: "the page is not a list of records: \(error)",
                remedy: "Check how the server's collections are laid out.", underlyingError: error)
        }
        if paging.namesAddresses, let next = records.next {
            records.next = try address(
                next, in: exchange, for: request, problem: "the link to the next page is not an address")
        }
        return list
    }

    private func shape(of first: Data, address: RemoteAddress, conventions: RESTConventions) -> PayloadShape {
        if let key = conventions.envelope.list.keys.first { return .wrapped(key: key) }
        switch conventions.reads.collections {
        case .bare: return .records
        case .wrapped(let key): return .wrapped(key: key)
        case .automatic:
            guard first.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) == UInt8(ascii: "{") else {
                return .records
            }
            let name = address.path.split(separator: "/").last ?? ""
            return .wrapped(key: name.removingPercentEncoding ?? String(name))
        }
    }
}

/// The server says that it has deleted the record.
private struct DeletedRecord: Error {}

extension RemoteExchange {
    /// The error for a response that does not have the shape of the conventions.
    fileprivate func malformed(_ problem: RecordForm.WrongShape) -> SyncError {
        error(.malformed, reason: problem.reason, remedy: "Compare the envelope of the conventions with a response.")
    }

    /// The record's version: its `ETag`, if it is strong. A weak one means that two representations are equivalent,
    /// and a condition requires that they are identical (RFC 9110, 13.1.1).
    var version: String? {
        fields[.eTag].flatMap { EntityTag($0)?.isWeak == false ? $0 : nil }
    }
}

extension RemoteRequest {
    /// The identity of the requested record, if a single one was requested.
    var identity: RemoteIdentity? { if case .record(let identity) = target { identity } else { nil } }

    /// Whether the collection of an entity was requested, and no part of it.
    var isCollection: Bool { target == .collection && query.isEmpty }
}
