import Foundation
import HTTPTypes
import LockstepTables

extension RESTRemote {
    @_spi(Requirements) public func changes(of entity: RemoteEntity) -> RemoteChanges? {
        guard let changes = conventions(of: entity).reads.changes else { return nil }
        let query = conventions(of: entity).reads.collectionQuery?(entity) ?? []
        let address = (try? collectionAddress(of: entity, method: .get).appending(query))?.absolute ?? entity.path
        return RemoteChanges(name: "\(changes.name) \(address)", includesDeletions: changes.deletions != .unlisted)
    }

    /// Reads what a page of a list says about changes.
    ///
    /// - Parameters:
    ///   - list: The list of records, or the page that contains it; afterwards without the deleted ones.
    ///   - page: The page.
    ///   - records: Set to the deleted records, the watermark, and the shape of the list.
    ///   - serverTime: When the request was started, by the clock of the server.
    func readChanges(
        in list: inout Data, of page: Data, records: inout FetchResponse.Records, changes: RESTConventions.Changes,
        exchange: RemoteExchange, for request: RemoteRequest, serverTime: Date?
    ) throws {
        let reader = ChangesPage(changes: changes, entity: request.entity)
        do {
            if case .wrapped(let key) = records.payload, let array = try JSONLocation.array(at: [key], of: list) {
                (list, records.payload) = (array, .records)
            }
            (list, records.deleted) = try reader.separated(list, of: page)
            guard request.isCollection else { return }
            switch changes.start {
            case .token(_, let path): records.watermark = try reader.token(at: path, in: page)
            case .time(let time):
                guard let attribute = time.attribute else { break }
                let latest = try reader.latestTime(at: attribute, format: time.format, in: list)
                records.watermark = watermark(request, latest: latest, serverTime: serverTime)?.text
            }
        } catch let problem as ChangesPage.Problem {
            throw exchange.error(
                .malformed, reason: problem.reason,
                remedy: "Compare `reads.changes` of the conventions with a response.")
        } catch {
            throw exchange.error(
                .malformed, reason: "the page is not a list of records: \(error)",
                remedy: "Check how the server's collections are laid out.", underlyingError: error)
        }
    }

    /// The watermark of a list by the times of its records. What is changed while the pages are read may be on one that
    /// was read already, so it is never later than the time at which the first page was read.
    ///
    /// - Parameter latest: The latest time on the page, in microseconds.
    private func watermark(_ request: RemoteRequest, latest: Int64?, serverTime: Date?) -> TimeWatermark? {
        let former = request.watermark.flatMap(TimeWatermark.init)
        let known = [former, request.since.flatMap(TimeWatermark.init)].compactMap { $0?.microseconds } + [latest]
        guard let microseconds = known.compactMap({ $0 }).max() else { return nil }
        if let former { return TimeWatermark(microseconds, limit: former.limit) }
        if let serverTime {
            return TimeWatermark(microseconds, limit: TimeWatermark.microseconds(of: serverTime))
        }
        // Any earlier time is safe, so the device's clock may be wrong.
        return TimeWatermark(microseconds, limit: min(microseconds, TimeWatermark.microseconds(of: clock.now)))
    }

    /// The watermark of a list by the server's clock: that of its first page.
    ///
    /// - Throws: `SyncError` if the response does not have a time.
    func timeWatermark(_ request: RemoteRequest, in exchange: RemoteExchange, serverTime: Date?) throws -> String {
        if let first = request.watermark { return first }
        guard let serverTime else {
            throw exchange.error(
                .malformed, reason: "the response has no `Date`, which the next list of changes would begin with",
                remedy: """
                    Let the server send it, or set `attribute` of `reads.changes` to the member with the time of the \
                    change.
                    """)
        }
        let microseconds = TimeWatermark.microseconds(of: serverTime)
        return TimeWatermark(microseconds, limit: microseconds).text
    }
}
