import Foundation
public import LockstepStore

/// Which records a payload is about (SYNC.md, M8): what the server was asked for.
///
/// The scope decides what is deleted where that is asked for, and gives records the values that they lack. It never
/// decides where a record is looked for: one that is here but outside of the scope is updated, not inserted twice.
///
/// ```swift
/// .all                                                            // GET /entries
/// .children(of: 3, in: Article.Relationships.comments)            // GET /articles/3/comments
/// .matching(\.articleID, 3)                                       // GET /comments?article_id=3
/// ```
public struct MergeScope<Object: Model>: Sendable {
    let form: ScopeForm

    init(_ form: ScopeForm) { self.form = form }

    /// Every record of the entity.
    public static var all: MergeScope { MergeScope(.all) }
}

/// What a scope is made of.
enum ScopeForm: Sendable {
    case all
}
