public import Foundation
public import LockstepStore

extension Sync {
    /// Fetches every entity that has its own collection on the server, and merges what has changed.
    ///
    /// If the remote embeds records in their owners, those are not fetched separately. Nothing is deleted unless
    /// `options.records` includes it.
    ///
    /// If the remote has a feed (``RemoteTraits/hasFeed``), that is read instead, from where it was merged to its end,
    /// and everything of it is merged, also deletions: `records`, `nested` and the layout of `options` do not count
    /// (rule H3).
    ///
    /// - Parameters:
    ///   - everything: Whether whole collections are read even if the remote can list what has changed since the last
    ///     pull (rule H2). They are read in any case if `options` deletes records and the remote does not list deleted
    ///     ones. A feed is read from its start, and records that it does not contain are removed.
    ///   - options: How the responses are merged. Their shape is the remote's.
    /// - Returns: The result.
    /// - Throws: As ``pull(_:scope:path:query:everything:options:)``. What was merged before an error stays. If the
    ///   server does not have a collection (`notFound`), the others are still pulled; then the first such error is
    ///   thrown.
    @discardableResult
    public func pull(
        everything: Bool = false, options: MergeOptions = MergeOptions()
    ) async throws -> PullSummary {
        try await exclusively {
            guard !remote.traits.hasFeed else { return try await pullFeed(options, everything: everything) }
            return try await pullAll(options, extent: everything ? .everything : .changes)
        }
    }

    /// Fetches one entity's records, all pages of them, and merges what has changed.
    ///
    /// A response that fails, is rejected, not modified, incomplete or not JSON changes nothing. Local changes that
    /// were not pushed stay, as the conflict policy specifies. If records may be deleted, all pages are merged in one
    /// transaction after the last one was read; otherwise each as it arrives.
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
    ///   - scope: What the server is queried for (rule M8). Query parameters with the name of an attribute or a foreign
    ///     key narrow it automatically.
    ///   - path: The path of the collection, if it is not the entity's own.
    ///   - query: Additional parameters of the request.
    ///   - everything: Whether the whole collection is read even if the remote can list what has changed since the last
    ///     pull (rule H2). It is read in any case if there is a scope, a path or a query, and if `options` deletes
    ///     records and the remote does not list deleted ones.
    ///   - options: How the response is merged. Its shape is the remote's.
    /// - Returns: The result.
    /// - Throws: ``/LockstepHTTP/SyncError``; `MergeError` if the response cannot be merged; `StoreError`;
    ///   `CancellationError`.
    @discardableResult
    public func pull<Object: Model>(
        _ type: Object.Type, scope: MergeScope<Object> = .all, path: String? = nil, query: [URLQueryItem] = [],
        everything: Bool = false, options: MergeOptions = MergeOptions()
    ) async throws -> PullSummary {
        try await exclusively {
            let target = path.map(RemoteRequest.Target.path) ?? .collection
            return try await pull(
                type, scope: scope, target: target, query: query, options: options,
                extent: everything ? .everything : .changes)
        }
    }

    /// Fetches one record and merges it. If it was deleted on the server, it is deleted locally too, as the conflict
    /// policy specifies. A record that the server has confirmed in the last five minutes stays if the server does not
    /// have it, unless the server says that it was deleted (rule M7).
    ///
    /// - Parameters:
    ///   - type: The model.
    ///   - identity: The record's identity on the server.
    ///   - options: How its payload is merged.
    /// - Returns: The result.
    /// - Throws: As ``pull(_:scope:path:query:everything:options:)``.
    @discardableResult
    public func pull<Object: Model>(
        _ type: Object.Type, id identity: Object.WireIdentity, options: MergeOptions = MergeOptions()
    ) async throws -> PullSummary {
        try await exclusively {
            let remoteIdentity = try await remoteIdentity(identity.keyValues, of: type.entity.plan)
            let fetch = PullFetch(
                environment, type: type, scope: .all, target: .record(remoteIdentity), query: [], options: options)
            var summary = try await pull(by: fetch)
            if !summary.absent.isEmpty {
                var options = environment.options(options)
                options.absentAt = fetch.isGone ? nil : environment.clock.now
                let merged = try await store.applyServerDeletes(
                    of: type, identities: [remoteIdentity], options: options)
                environment.note([merged])
                summary.merges.append(merged)
            }
            return summary
        }
    }

    /// Forgets the validators of earlier responses (`ETag`, `Last-Modified`), and up to where changes were pulled, so
    /// that the next pull fetches everything.
    ///
    /// - Parameter type: The model; `nil` for all.
    /// - Throws: `StoreError` if the store cannot be written.
    public func forgetValidators(of type: (any Model.Type)? = nil) async throws {
        let name = type?.entity.name
        try await store.writeRaw("forgetting validators") { database, _ in
            try ValidatorTable.forget(name, in: database)
        }
    }

    // MARK: While the mutex is locked

    func pullAll(_ options: MergeOptions, extent: PullExtent) async throws -> PullSummary {
        var summary = PullSummary()
        var missing: SyncError?
        let types = syncedTypes
        defer { board.showCollections(nil) }
        for (index, type) in types.enumerated() {
            board.showCollections((index, types.count))
            do { summary.add(try await pullCollection(type, options: options, extent: extent)) } catch let error
                as SyncError
                where error.code == .notFound
            {
                missing = missing ?? error
            }
        }
        if let missing { throw missing }
        return summary
    }

    private func pullCollection<Object: Model>(
        _ type: Object.Type, options: MergeOptions, extent: PullExtent
    ) async throws -> PullSummary {
        try await pull(type, scope: .all, target: .collection, query: [], options: options, extent: extent)
    }

    /// The models whose collections are fetched.
    package var syncedTypes: [any Model.Type] {
        store.schema.entities.filter { environment.ownership.isFollowed($0.entity.plan) }
    }

    /// - Parameter isRoutine: Whether the status does not report it, unless it takes long.
    func pull<Object: Model>(
        _ type: Object.Type, scope: MergeScope<Object>, target: RemoteRequest.Target, query: [URLQueryItem],
        options: MergeOptions, extent: PullExtent = .everything, isRoutine: Bool = false
    ) async throws -> PullSummary {
        let scope = query.isEmpty ? scope : scope.query(query)
        return try await pull(
            by: PullFetch(
                environment, type: type, scope: scope, target: target, query: query, options: options, extent: extent,
                isRoutine: isRoutine))
    }

    /// - Parameter isRoutine: Whether the status does not report it.
    func pullFeed(_ options: MergeOptions, everything: Bool, isRoutine: Bool = false) async throws -> PullSummary {
        let pull = FeedPull(environment, types: syncedTypes, options: options, isRoutine: isRoutine)
        return try await noting(hasResponse: { pull.hasResponse }) { try await pull.run(everything: everything) }
    }

    private func pull<Object: Model>(by fetch: PullFetch<Object>) async throws -> PullSummary {
        try await noting(hasResponse: { fetch.hasResponse }) { try await fetch.run() }
    }

    /// Runs a pull, and notes what it shows about the server.
    ///
    /// - Parameter hasResponse: Whether the server has responded to a pull that has failed.
    private func noting(
        hasResponse: () -> Bool, run: () async throws -> PullSummary
    ) async throws -> PullSummary {
        do {
            let summary = try await run()
            await environment.mutex.noteExchange()
            try await environment.noteResponse()
            return summary
        } catch {
            // Some pages may have been merged.
            await environment.mutex.noteExchange()
            if hasResponse() {
                try await environment.noteResponse()
            } else if (error as? SyncError)?.isUnreachable == true {
                try await environment.noteFailure()
            }
            throw error
        }
    }
}
