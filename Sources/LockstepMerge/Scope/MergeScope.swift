public import Foundation
public import LockstepStore

/// Which records a payload is about (Rules.md, M8): what the server was asked for.
///
/// The scope decides what is deleted where that is asked for, and gives records the values that they lack. It never
/// decides where a record is looked for: one that is here but outside of the scope is updated, not inserted twice.
///
/// ```swift
/// .all                                                            // GET /comments
/// .children(of: 3, in: Article.Relationships.comments)            // GET /articles/3/comments
/// .matching(\.articleID, 3)                                       // GET /comments?article_id=3
/// .query(of: url)                                                 // whatever the URL's query says
/// ```
///
/// Scopes are narrowed one after the other: `.children(of: 3, in: …).matching(\.isApproved, true)`.
public struct MergeScope<Object: Model>: Sendable {
    /// All of these hold for a record of the scope; none of them for every record.
    let conditions: [ScopeCondition]

    private func adding(_ condition: ScopeCondition) -> MergeScope { MergeScope(conditions: conditions + [condition]) }

    /// Every record of the entity.
    public static var all: MergeScope { MergeScope(conditions: []) }

    /// The members of one owner's relationship.
    ///
    /// Records that do not say whose they are belong to this owner. Where the relationship is many to many, members
    /// that the server no longer lists are unlinked and never deleted. An owner that is not here leaves the scope
    /// unresolved: nothing is deleted then, and the summary has a note.
    ///
    /// - Parameters:
    ///   - owner: The owner's identity on the server.
    ///   - relationship: One relationship of the owner: `Article.Relationships.comments`.
    public static func children<Owner: Model>(
        of owner: Owner.WireIdentity, in relationship: RelationshipHandle<Owner, Object>
    ) -> MergeScope {
        all.children(of: owner, in: relationship)
    }

    /// The scope's records that are members of one owner's relationship.
    public func children<Owner: Model>(
        of owner: Owner.WireIdentity, in relationship: RelationshipHandle<Owner, Object>
    ) -> MergeScope {
        let names = relationship.path.names
        return adding(.children(owner: Owner.self, key: owner.keyValues, path: names))
    }

    /// The records with this value in a column; `nil` is none.
    ///
    /// Records that lack the attribute or the foreign key get the value.
    ///
    /// ```swift
    /// .matching(\.articleID, 3)
    /// ```
    ///
    /// - Parameters:
    ///   - column: One of the model's `Columns`. For several, call it again.
    ///   - value: The value as the store has it: the local half of an identity that is `{ local, remote }`.
    public static func matching<Value: AttributeValue>(
        _ column: (Object.Columns.Type) -> AttributeColumn<Value>, _ value: Value?
    ) -> MergeScope {
        all.matching(column, value)
    }

    /// The scope's records with this value in a column; `nil` is none.
    public func matching<Value: AttributeValue>(
        _ column: (Object.Columns.Type) -> AttributeColumn<Value>, _ value: Value?
    ) -> MergeScope {
        adding(.column(column(Object.Columns.self).name, value?.storedValue ?? .null))
    }

    /// The records that query parameters ask for.
    ///
    /// A parameter that names an attribute or a foreign key, in any spelling, is a filter: `article_id=3`. Any other
    /// (`page=2`, `sort=name`) may leave records out, so that nothing is deleted, unless
    /// ``MergeOptions/completeness`` says that the payload is complete.
    public static func query(_ parameters: [URLQueryItem]) -> MergeScope { all.query(parameters) }

    /// The scope's records that query parameters ask for.
    public func query(_ parameters: [URLQueryItem]) -> MergeScope { adding(.query(parameters)) }

    /// The records that the query of a URL asks for; all where it has none.
    public static func query(of url: URL) -> MergeScope { all.query(of: url) }

    /// The scope's records that the query of a URL asks for.
    public func query(of url: URL) -> MergeScope {
        query(URLComponents(url: url, resolvingAgainstBaseURL: true)?.queryItems ?? [])
    }
}

/// One thing that holds for every record of a scope.
enum ScopeCondition: Sendable {
    /// The record is a member of an owner's relationship; the key is the owner's identity on the server.
    case children(owner: any Model.Type, key: [DatabaseValue], path: [String])
    /// A column, by its name in SQL, has this value.
    case column(String, DatabaseValue)
    /// The record is what these parameters ask for.
    case query([URLQueryItem])
}
