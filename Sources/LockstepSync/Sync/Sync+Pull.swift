public import Foundation
public import LockstepStore

extension Sync {
    /// Fetches every entity that has a collection of its own on the server, and merges what has changed.
    ///
    /// Where the remote has embedded records inside of their owners, those are not asked for by themselves. Nothing is
    /// deleted unless `options.records` asks for it.
    ///
    /// - Parameter options: How the answers are merged. Their shape is the remote's.
    /// - Returns: What was done.
    /// - Throws: As ``pull(_:scope:path:query:options:)``. What was merged before it threw stays.
    @discardableResult
    public func pull(options: MergeOptions = MergeOptions()) async throws -> PullSummary {
        try await exclusively {
            defer { board.show(.idle) }
            return try await pullAll(options)
        }
    }

    /// Fetches one entity's records, all pages of them, and merges what has changed.
    ///
    /// An answer that fails, is refused, is not modified, breaks off or is no JSON changes nothing. Local changes that
    /// were not pushed stay, as the conflict policy says. Where something is to be deleted, all pages are merged in one
    /// transaction once the last one was read; else each as it comes.
    ///
    /// ```swift
    /// try await sync.pull(Entry.self)
    /// try await sync.pull(Entry.self, options: MergeOptions(records: .all))       // delete what is gone there
    /// try await sync.pull(ArticleComment.self, query: [URLQueryItem(name: "article_id", value: "3")])
    /// try await sync.pull(
    ///     ArticleComment.self, scope: .children(of: 3, in: Article.Relationships.comments),
    ///     path: "/articles/3/comments")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - scope: What the server is asked for (rule M8). Query parameters that name an attribute or a foreign key
    ///     narrow it by themselves.
    ///   - path: The path of the collection, where that is not the entity's own.
    ///   - query: Further parameters of the request.
    ///   - options: How the answer is merged. Its shape is the remote's.
    /// - Returns: What was done.
    /// - Throws: ``/LockstepHTTP/SyncError``; `MergeError` where the answer cannot be merged; `StoreError`;
    ///   `CancellationError`.
    @discardableResult
    public func pull<Object: Model>(
        _ type: Object.Type, scope: MergeScope<Object> = .all, path: String? = nil, query: [URLQueryItem] = [],
        options: MergeOptions = MergeOptions()
    ) async throws -> PullSummary {
        try await exclusively {
            defer { board.show(.idle) }
            let target = path.map(RemoteRequest.Target.path) ?? .collection
            return try await pull(type, scope, target, query, options)
        }
    }

    /// Fetches one record and merges it; where the server has it no longer, it is deleted here too, as the conflict
    /// policy says.
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - identity: The record's identity on the server.
    ///   - options: How its payload is merged.
    /// - Returns: What was done.
    /// - Throws: As ``pull(_:scope:path:query:options:)``.
    @discardableResult
    public func pull<Object: Model>(
        _ type: Object.Type, id identity: Object.WireIdentity, options: MergeOptions = MergeOptions()
    ) async throws -> PullSummary {
        try await exclusively {
            defer { board.show(.idle) }
            let remoteIdentity = RemoteIdentity(identity.keyValues.map(JSONValue.init(storedScalar:)))
            let summary = try await pull(type, .all, .record(remoteIdentity), [], options)
            if !summary.absent.isEmpty {
                try await store.applyServerDeletes(of: type, identities: [remoteIdentity], options: options)
            }
            return summary
        }
    }

    /// Forgets what earlier answers allow to ask (`ETag`, `Last-Modified`), so that the next pull fetches everything.
    ///
    /// - Parameter type: The model; `nil` for all.
    /// - Throws: `StoreError` where the store cannot be written.
    public func forgetValidators(of type: (any Model.Type)? = nil) async throws {
        let name = type?.entity.name
        try await store.writeRaw("forgetting what was fetched") { database, _ in
            try ValidatorTable.forget(name, database)
        }
    }

    // MARK: While the mutex is held

    func pullAll(_ options: MergeOptions) async throws -> PullSummary {
        var summary = PullSummary()
        for type in followedTypes {
            summary.add(try await pullWhole(type, options))
        }
        return summary
    }

    private func pullWhole<Object: Model>(_ type: Object.Type, _ options: MergeOptions) async throws -> PullSummary {
        try await pull(type, .all, .collection, [], options)
    }

    /// The models whose collections are asked for.
    package var followedTypes: [any Model.Type] {
        store.schema.entities.filter { environment.ownership.isFollowed($0.entity.plan) }
    }

    func pull<Object: Model>(
        _ type: Object.Type, _ scope: MergeScope<Object>, _ target: RemoteRequest.Target, _ query: [URLQueryItem],
        _ options: MergeOptions
    ) async throws -> PullSummary {
        let scope = query.isEmpty ? scope : scope.query(query)
        let fetch = PullFetch(environment, type, scope, target, query, options)
        do {
            let summary = try await fetch.run()
            await environment.mutex.noteExchange()
            return summary
        } catch {
            // Some pages may be merged.
            await environment.mutex.noteExchange()
            throw error
        }
    }
}
