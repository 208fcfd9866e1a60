import Foundation
import HTTPTypes

extension HTTPField.Name {
    fileprivate static let link = HTTPField.Name("Link")!
}

extension RESTRemote {
    public func fetch(_ request: RemoteRequest) async throws -> FetchResponse {
        let conventions = conventions(of: request.entity)
        let address = try address(of: request, conventions)
        let known = try await request.validators(address.absolute)
        var fields = conventions.fields
        fields[.accept] = "application/json"
        if let tag = known?.entityTag { fields[.ifNoneMatch] = tag }
        if let startedAt = known?.startedAt { fields[.ifModifiedSince] = HTTPDate.text(of: startedAt) }
        let startedAt = clock.now
        let exchange = try await RemoteExchange.send(
            .get, address, fields, (request.entity, request.identity), client, clock)
        switch exchange.meaning {
        case .success: return .records(try await records(of: exchange, request, conventions, startedAt))
        case .notModified where known != nil: return .notModified(address: address.absolute)
        case .absent:
            if request.identity != nil { try await check(exchange, conventions) }
            // A page of a collection may have disappeared since the one before was read.
            if request.identity != nil || request.page != nil { return .absent }
            throw exchange.error(
                .notFound, "the server has no collection at \(exchange.address.path) (\(exchange.status))",
                "Check the path of the entity (`remote: { path: … }`), and the address of the remote.")
        case .refused:
            try await check(exchange, conventions)
            throw exchange.failure
        default: throw exchange.failure
        }
    }

    /// Checks whether a rejection comes from the server itself.
    private func check(_ exchange: RemoteExchange, _ conventions: RESTConventions) async throws {
        if conventions.acknowledgements.includeErrorPages { return }
        try exchange.checkRefusal(await exchange.answer.body.beginning(upTo: RemoteExchange.refusalLimitBytes))
    }

    private func address(of request: RemoteRequest, _ conventions: RESTConventions) throws -> RemoteAddress {
        if case .link = conventions.paging, let page = request.page {
            return try sameServer(page, as: try RemoteAddress(base: url), request)
        }
        var address: RemoteAddress
        switch request.target {
        case .collection: address = try collectionAddress(of: request.entity, .get)
        case .path(let path): address = try RemoteAddress(base: url).appending(path: path)
        case .record(let identity):
            return try recordAddress(of: identity, in: request.entity, .get).appending(request.query)
        }
        if case .pages(let parameter, let size, let first, _) = conventions.paging {
            address = address.appending(parameter, request.page ?? String(first))
            if let size { address = address.appending(size.parameter, String(size.count)) }
        }
        return address.appending(request.query)
    }

    /// The address of a page from a response. If it is on another server, it is not used, and the collection does not
    /// count as complete.
    private func sameServer(
        _ page: String, as address: RemoteAddress, _ request: RemoteRequest
    ) throws -> RemoteAddress {
        guard let next = address.resolving(page), next.isSameOrigin(as: address) else {
            throw SyncError(
                .insecureAddress, request: "GET \(address.shown)", entity: request.entity.name,
                reason: "the next page is on another server",
                remedy: "Make the server's Link contain its own address, or set the paging to something else."
            ).aboutResponse()
        }
        return next
    }

    // MARK: Answers

    private func records(
        of exchange: RemoteExchange, _ request: RemoteRequest, _ conventions: RESTConventions, _ startedAt: Date
    ) async throws -> FetchResponse.Records {
        var records: FetchResponse.Records
        if request.identity != nil {
            records = try await record(of: exchange, request)
        } else {
            records = try await page(of: exchange, request, conventions)
        }
        records.address = exchange.address.absolute
        let tag = exchange.fields[.eTag]
        let isDated = exchange.fields[.lastModified] != nil
        if tag != nil || isDated {
            let start = isDated ? Self.start(startedAt, by: exchange.fields[.date], now: clock.now) : nil
            records.validators = Validators(entityTag: tag, startedAt: start, next: records.next)
        }
        return records
    }

    /// When a request was started, by the earlier of the two clocks. Otherwise, a device whose clock is ahead would
    /// claim to know what it has not read.
    private static func start(_ startedAt: Date, by field: String?, now: Date) -> Date {
        guard let answered = field.flatMap({ HTTPDate.date(from: $0, now: now) }) else { return startedAt }
        return min(startedAt, answered.addingTimeInterval(startedAt.timeIntervalSince(now)))
    }

    private func record(of exchange: RemoteExchange, _ request: RemoteRequest) async throws -> FetchResponse.Records {
        let body = try await exchange.collected(upTo: RemoteExchange.recordLimitBytes)
        if AnsweredBody.isPage(body) { throw exchange.unexpected("an HTML page") }
        let version = traits.hasVersions ? exchange.version : nil
        return FetchResponse.Records(
            body: .data(BodyWrapping.unwrapped(body, request.entity.wrapKey)), version: version)
    }

    private func page(
        of exchange: RemoteExchange, _ request: RemoteRequest, _ conventions: RESTConventions
    ) async throws -> FetchResponse.Records {
        let (first, received) = try await exchange.answer.body.startingBytes()
        if AnsweredBody.isPage(first) { throw exchange.unexpected("an HTML page") }
        let body =
            request.entity.wrapKey.map { HTTPBody.unwrappingElements($0, first, exchange.answer.body) } ?? received
        var records = FetchResponse.Records(
            body: body, payload: shape(of: first, exchange.address, conventions.collections),
            isSnapshot: conventions.hasSnapshotPages)
        switch conventions.paging {
        case .none: break
        case .link:
            let links = exchange.fields[values: .link].flatMap { LinkHeader($0).links }
            if let link = links.first(where: { $0.relations.contains("next") })?.target {
                guard let page = exchange.resolving(link) else {
                    throw exchange.error(.malformed, "the Link to the next page is not an address", "Fix the server.")
                }
                records.next = try sameServer(page.absolute, as: exchange.address, request).absolute
            }
        case .pages(_, let size, let firstPage, let end):
            let data = try await body.collected(upTo: RemoteExchange.recordLimitBytes)
            records.body = .data(data)
            let count = try Self.count(of: data, records.payload, exchange)
            let isLast = count == 0 || end == .shortPage && count < (size?.count ?? 1)
            let page = request.page.flatMap { Int($0) } ?? firstPage
            if !isLast { records.next = String(page + 1) }
        }
        return records
    }

    private func shape(
        of first: Data, _ address: RemoteAddress, _ collections: RESTConventions.Collections
    ) -> PayloadShape {
        switch collections {
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

    private static func count(of page: Data, _ shape: PayloadShape, _ exchange: RemoteExchange) throws -> Int {
        do {
            return try RecordCount.count(of: page, shape)
        } catch {
            throw exchange.error(
                .malformed, "the page is not a list of records: \(error)",
                "Check how the server's collections are laid out.",
                underlyingError: error)
        }
    }
}

extension RemoteExchange {
    /// The record's version: its `ETag`, if it is strong. A weak one means that two representations are equivalent,
    /// and a condition requires that they are identical (RFC 9110, 13.1.1).
    var version: String? {
        fields[.eTag].flatMap { EntityTag($0)?.isWeak == false ? $0 : nil }
    }
}

extension RemoteRequest {
    /// The identity of the requested record, if a single one was requested.
    var identity: RemoteIdentity? { if case .record(let identity) = target { identity } else { nil } }
}
