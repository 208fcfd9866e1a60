public import Foundation
public import LockstepStore

/// Which records a payload is about (Rules.md, M8): what the server was asked for.
///
/// The scope determines what may be deleted, if deleting is enabled, and provides values that records lack. It never
/// affects matching: an existing record outside of the scope is updated, not inserted twice.
///
/// ```swift
/// .all                                                            // GET /comments
/// .children(of: 3, in: Article.Relationships.comments)            // GET /articles/3/comments
/// .matching(\.articleID, 3)                                       // GET /comments?article_id=3
/// .query(of: url)                                                 // the query of the URL
/// ```
///
/// Conditions can be chained: `.children(of: 3, in: …).matching(\.isApproved, true)`.
public struct MergeScope<Object: Model>: Sendable {
    /// The conditions that all records of the scope meet; empty for all records.
    let conditions: [ScopeCondition]

    /// Whether it is every record of the entity.
    package var isAll: Bool { conditions.isEmpty }

    private func adding(_ condition: ScopeCondition) -> MergeScope { MergeScope(conditions: conditions + [condition]) }

    /// Every record of the entity.
    public static var all: MergeScope { MergeScope(conditions: []) }

    /// The members of one owner's relationship.
    ///
    /// Records that do not state their owner belong to this one. If the relationship is many to many, members that the
    /// server no longer lists are unlinked and never deleted. If the owner is not in the store, the scope is
    /// unresolved: nothing is deleted, and the summary has a note.
    ///
    /// - Parameters:
    ///   - owner: The owner's identity on the server.
    ///   - relationship: A relationship of the owner: `Article.Relationships.comments`.
    public static func children<Owner: Model>(
        of owner: Owner.WireIdentity, in relationship: RelationshipHandle<Owner, Object>
    ) -> MergeScope {
        all.children(of: owner, in: relationship)
    }

    /// Narrows the scope to members of one owner's relationship.
    public func children<Owner: Model>(
        of owner: Owner.WireIdentity, in relationship: RelationshipHandle<Owner, Object>
    ) -> MergeScope {
        let names = relationship.path.names
        return adding(.children(owner: Owner.self, key: owner.keyValues, path: names))
    }

    /// The records with this value in a column; `nil` matches NULL.
    ///
    /// Records that lack the attribute or the foreign key get the value.
    ///
    /// ```swift
    /// .matching(\.articleID, 3)
    /// ```
    ///
    /// - Parameters:
    ///   - column: One of the model's `Columns`. For several columns, chain calls.
    ///   - value: The value as it is stored: for an identity with `{ local, remote }`, the local one.
    public static func matching<Value: AttributeValue>(
        _ column: (Object.Columns.Type) -> AttributeColumn<Value>, _ value: Value?
    ) -> MergeScope {
        all.matching(column, value)
    }

    /// Narrows the scope to records with this value in a column; `nil` matches NULL.
    public func matching<Value: AttributeValue>(
        _ column: (Object.Columns.Type) -> AttributeColumn<Value>, _ value: Value?
    ) -> MergeScope {
        adding(.column(column(Object.Columns.self).name, value?.storedValue ?? .null))
    }

    /// The records that query parameters select.
    ///
    /// A parameter that names an attribute or a foreign key, in any spelling, is a filter: `article_id=3`. Any other
    /// (`page=2`, `sort=name`) may leave records out, so nothing is deleted unless ``MergeOptions/completeness`` states
    /// that the payload is complete.
    public static func query(_ parameters: [URLQueryItem]) -> MergeScope { all.query(parameters) }

    /// Narrows the scope to records that query parameters select.
    public func query(_ parameters: [URLQueryItem]) -> MergeScope { adding(.query(parameters)) }

    /// The records that the query of a URL selects; all records if it has no query.
    public static func query(of url: URL) -> MergeScope { all.query(of: url) }

    /// Narrows the scope to records that the query of a URL selects.
    public func query(of url: URL) -> MergeScope {
        query(URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? [])
    }
}
