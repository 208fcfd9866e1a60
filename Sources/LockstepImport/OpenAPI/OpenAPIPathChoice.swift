/// The path of each schema's records, of all those that return them: a search, a filter or a preview returns some, too.
struct OpenAPIPathChoice {
    /// A path that lists or creates records.
    struct Collection {
        let path: String
        let item: OpenAPINode
        /// The schema of the records; `nil` if it has none.
        let name: String?
        /// The body of `POST`.
        let body: OpenAPINode?
        let canCreate: Bool
        let isListed: Bool
        /// The key of the list in its response, unless it is the last part of the path.
        let listKey: String?
    }

    /// The path of one record.
    struct Record {
        let path: String
        /// The path without the parameter.
        let parent: String
        let parameter: String
        let item: OpenAPINode
        /// The schemas of its responses.
        let names: [String]
    }

    private var paths: [String: String] = [:]
    private var names: [String: String] = [:]

    /// - Parameters:
    ///   - collections: With the shortest path first, as `records`.
    ///   - nested: The paths of single records that are below records of other schemas, by the schema.
    init(_ collections: [Collection], records: [Record], nested: [String: String]) {
        let parents = Dictionary(records.map { ($0.parent, $0.names) }, uniquingKeysWith: +)
        let ranks: [(Collection) -> Bool] = [
            { collection in parents[collection.path]?.contains { $0 == collection.name } == true },
            { parents[$0.path] != nil }, { $0.canCreate && $0.isListed },
        ]
        for isChosen in ranks {
            for collection in collections where isChosen(collection) { choose(collection.path, for: collection.name) }
        }
        for record in records where names[record.parent] == nil {
            choose(record.parent, for: record.names.first { paths[$0] == nil })
        }
        for collection in collections {
            let record = collection.name.flatMap { nested[$0] }
            if let record, !Self.contains(collection.path, records: record) { continue }
            choose(collection.path, for: collection.name)
        }
    }

    /// Whether the records of a path such as `/orders/{id}/items/{id}` can be those of a collection: of `/items`, and
    /// not of `/search`.
    private static func contains(_ collection: String, records: String) -> Bool {
        let parent = records.split(separator: "/").dropLast()
        return collection.split(separator: "/").allSatisfy(parent.contains)
    }

    private mutating func choose(_ path: String, for name: String?) {
        guard let name, paths[name] == nil, names[path] == nil else { return }
        paths[name] = path
        names[path] = name
    }

    func path(of name: String) -> String? { paths[name] }

    /// The schema whose records are below a path.
    func name(at path: String) -> String? { names[path] }
}
