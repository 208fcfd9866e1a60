import Foundation
import GRDB

extension Store {
    /// Returns the records that a request selects as values, followed by the values after each commit of this store
    /// that can change them. They are read off the main actor.
    ///
    /// Equal values are not repeated, and a slow reader receives the latest ones only. The sequence ends when its task
    /// is cancelled.
    ///
    /// ```swift
    /// for try await entries in store.liveRepresentations(Entry.order(\.timestamp.desc).limit(20)) {
    ///     print(entries.map(\.title))
    /// }
    /// ```
    ///
    /// - Returns: The values. Reading them throws as ``representations(_:)`` does.
    public func liveRepresentations<Object: Model>(
        _ request: some ModelRequest<Object>
    ) -> AsyncThrowingStream<[Object.Representation], any Error> {
        AsyncThrowingStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = observe(request, endsOnError: true) { result in
                do { continuation.yield(try result.get()) } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in observation.cancel() }
        }
    }

    /// The same for a screen, which stays: after values that cannot be read, those after the next commit follow.
    package func liveRepresentationResults<Object: Model>(
        _ request: some ModelRequest<Object>
    ) -> AsyncStream<Result<[Object.Representation], any Error>> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let observation = observe(request, endsOnError: false) { continuation.yield($0) }
            continuation.onTermination = { _ in observation.cancel() }
        }
    }

    private func observe<Object: Model>(
        _ request: some ModelRequest<Object>, endsOnError: Bool,
        onResult: @escaping @Sendable (Result<[Object.Representation], any Error>) -> Void
    ) -> AnyDatabaseCancellable {
        let (base, request) = (base, request.request)
        var regions: [any DatabaseRegionConvertible] = [request]
        for table in Object.entity.plan.representedTables { regions.append(Table(table)) }
        let observation = ValueObservation.tracking(regions: regions) { database in
            let reader = ManagedObjectContext(base)
            defer { reader.close() }
            let result = Result { try reader.connection.use(database) { try reader.storedRepresentations(request) } }
            // A thrown error ends the observation.
            return endsOnError ? .success(try result.get()) : result
        }
        return observation.removeDuplicates { (try? $0.get()) == (try? $1.get()) }.start(
            in: base.writer, scheduling: .async(onQueue: DispatchQueue(label: "lockstep.representations")),
            onError: { onResult(.failure(Self.reported($0))) },
            onChange: { onResult($0.mapError(Self.reported)) })
    }

    private static func reported(_ error: any Error) -> any Error {
        (error as? DatabaseError).map { StoreError($0, doing: "reading the store") } ?? error
    }
}

extension EntityPlan {
    /// The tables of the records of which a representation contains something, and of the links to them.
    fileprivate var representedTables: Set<String> {
        var tables: Set<String> = []
        var plans = [self]
        while let plan = plans.popLast() {
            for relationship in plan.relationships where relationship.isRepresented {
                if case .manyToMany(let join) = relationship.kind { tables.insert(join.table) }
                let destination = relationship.destination
                if tables.insert(destination.table).inserted, relationship.isEmbedded { plans.append(destination) }
            }
        }
        return tables
    }
}
