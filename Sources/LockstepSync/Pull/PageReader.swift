import Foundation
import LockstepMerge
import LockstepStore

/// Requests and receives the pages of a pull, apart from what becomes of them: the next one can be read while one is
/// merged.
struct PageReader: Sendable {
    let environment: SyncEnvironment
    let plan: EntityPlan
    let target: RemoteRequest.Target
    let query: [URLQueryItem]
    /// Whether the status does not report it.
    let isRoutine: Bool
    /// The known validators of an address.
    let validators: @Sendable (String) async throws -> Validators?
    /// The watermark that a list of changes begins with; `nil` for everything.
    let since: String?

    /// A response, with the whole body if it has records.
    struct Reading: Sendable {
        let response: FetchResponse
        let body: PayloadBody?
        /// How many bytes the pull has read until then.
        let byteCount: Int
    }

    /// Reads the next page.
    ///
    /// - Parameters:
    ///   - byteCount: How many bytes the pull has read.
    ///   - spool: Where the pages are kept, if there are several.
    func read(_ series: PageSeries, after byteCount: Int, in spool: PageSpool? = nil) async throws -> Reading {
        if !isRoutine { environment.board.show(.pulling(entity: plan.name)) }
        let request = RemoteRequest(
            entity: RemoteEntity(plan), target: target, query: query, page: series.next, since: since,
            watermark: series.watermark, validators: validators)
        let response = try await environment.remote.fetch(request)
        guard case .records(let records) = response else {
            return Reading(response: response, body: nil, byteCount: byteCount)
        }
        let limit = max(0, environment.limits.bytes - byteCount)
        do {
            let spool = spool.map { PayloadSpool(in: $0, byteLimit: limit) } ?? PayloadSpool(byteLimit: limit)
            let body = try await PayloadSpool.gather(records.body, into: spool)
            return Reading(response: response, body: body, byteCount: byteCount + (try body.byteCount()))
        } catch {
            throw UnreadBody(error: MergeError.payload(error, of: plan.name))
        }
    }

    /// The server has responded, and its body could not be received.
    struct UnreadBody: Error {
        let error: any Error
    }
}
