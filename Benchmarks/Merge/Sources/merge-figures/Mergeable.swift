import Archive
import CMergeFloor
import Foundation
import LockstepStore
import LockstepSync

/// What a merge must have done, or it was not measured.
struct Expected: Equatable {
    var inserted = 0
    var updated = 0
    var unchanged = 0

    static func inserted(_ count: Int) -> Expected { Expected(inserted: count) }
    static func unchanged(_ count: Int) -> Expected { Expected(unchanged: count) }

    /// Ends the process unless a summary says so.
    func check(_ summary: MergeSummary) {
        let found = Expected(inserted: summary.inserted, updated: summary.updated, unchanged: summary.unchanged)
        guard found == self, summary.deleted == 0, summary.skipped.isEmpty else {
            fatalError("expected \(self), found \(summary)")
        }
    }
}

/// An entity that payloads are made of.
protocol Mergeable: Model {
    static var floorKind: merge_payload { get }
}

extension Mergeable {
    static func merge(_ payload: Data, into store: Store, expecting expected: Expected) async throws {
        expected.check(try await store.merge(payload, into: Self.self))
    }
}

extension Article: Mergeable { static var floorKind: merge_payload { merge_articles } }
extension NumberedArticle: Mergeable { static var floorKind: merge_payload { merge_numbered_articles } }
extension Post: Mergeable { static var floorKind: merge_payload { merge_posts } }
extension Project: Mergeable { static var floorKind: merge_payload { merge_projects } }

/// Ends the process unless as many were written or found as should be.
func expect(_ found: Int, _ wanted: Int) {
    guard found == wanted else { fatalError("\(found) instead of \(wanted)") }
}
