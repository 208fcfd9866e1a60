import Foundation
import HTTPTypes
import LockstepStore

extension RESTRemote {
    public func changes(of entity: RemoteEntity) -> RemoteChanges? {
        guard let changes = conventions(of: entity).changes else { return nil }
        let address = (try? collectionAddress(of: entity, .get))?.absolute ?? entity.path
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
        in list: inout Data, of page: Data, _ records: inout FetchResponse.Records, _ changes: RESTConventions.Changes,
        _ exchange: RemoteExchange, _ request: RemoteRequest, serverTime: Date?
    ) throws {
        let reader = ChangesPage(changes: changes, entity: request.entity)
        do {
            if case .wrapped(let key) = records.payload, let array = try JSONPlace.array(at: [key], of: list) {
                (list, records.payload) = (array, .records)
            }
            (list, records.deleted) = try reader.separated(list, of: page)
            switch changes.start {
            case .token(_, let path): records.watermark = try reader.token(at: path, in: page)
            case .time(let time):
                guard let attribute = time.attribute else { break }
                let latest = try reader.latestTime(at: attribute, time.format, in: list)
                let former = [request.since, request.watermark].compactMap { $0.flatMap(TimeWatermark.init) }
                // A time in the future would hide what is changed until then.
                let limit = serverTime.map { TimeWatermark($0.addingTimeInterval(1)) }
                let known = (former + [latest].compactMap { $0 }).max()
                records.watermark = known.map { min($0, limit ?? $0).text }
            }
        } catch let problem as ChangesPage.Problem {
            throw exchange.error(.malformed, problem.reason, "Compare `changes` of the conventions with a response.")
        } catch {
            throw exchange.error(
                .malformed, "the page is not a list of records: \(error)",
                "Check how the server's collections are laid out.", underlyingError: error)
        }
    }

    /// The watermark of a list by the server's clock: that of its first page.
    ///
    /// - Throws: `SyncError` if the response does not have a time.
    func timeWatermark(_ request: RemoteRequest, _ exchange: RemoteExchange, serverTime: Date?) throws -> String {
        if let first = request.watermark { return first }
        guard let serverTime else {
            throw exchange.error(
                .malformed, "the response has no `Date`, which the next list of changes would begin with",
                "Let the server send it, or set `attribute` of `changes` to the member with the time of the change.")
        }
        return TimeWatermark(serverTime).text
    }
}
