import LockstepSchema

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
        /// The query parameters without which there is no list.
        let parameters: [String]

        /// Whether it lists what is found: no entity is named after what a search does.
        var isSearch: Bool {
            guard isListed, let name else { return false }
            return path.split(separator: "/").contains { part in
                let words = UsableName.words(String(part)).map { $0.lowercased() }
                guard let first = words.first, Self.searches.contains(first) else { return false }
                return words.count == 1 ? UsableName.type(String(part)) != UsableName.type(name) : words[1] == "by"
            }
        }

        private static let searches: Set = [
            "search", "find", "filter", "query", "preview", "suggest", "suggestions", "autocomplete",
        ]
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
        /// The first of them that has an identity.
        let name: String?
    }

    private var paths: [String: String] = [:]
    private var names: [String: String] = [:]

    /// - Parameters:
    ///   - collections: With the shortest path first, as `records`.
    ///   - nested: The paths of single records that are below records of other schemas, by the schema.
    init(_ collections: [Collection], records: [Record], nested: [String: String]) {
        let below = Dictionary(grouping: records, by: \.parent)
        // First what both a list and the records below it are, then what these are: a list can have a short form.
        for collection in collections {
            let isRecord = below[collection.path]?.contains { $0.names.contains { $0 == collection.name } } == true
            if isRecord { choose(collection.path, for: collection.name) }
        }
        for collection in collections {
            guard let records = below[collection.path] else { continue }
            for name in records.map(\.name) + [collection.name] { choose(collection.path, for: name) }
        }
        for collection in collections where collection.canCreate && collection.isListed && !collection.isSearch {
            choose(collection.path, for: collection.name)
        }
        for record in records where names[record.parent] == nil {
            choose(record.parent, for: record.names.first { paths[$0] == nil })
        }
        let isPartial = { (collection: Collection) in collection.isSearch || !collection.parameters.isEmpty }
        for collection in collections.filter({ !isPartial($0) }) + collections.filter(isPartial) {
            guard let name = collection.name, paths[name] == nil else { continue }
            if let record = nested[name], !Self.contains(collection.path, records: record) { continue }
            if names[collection.path] == nil {
                choose(collection.path, for: name)
            } else if collection.isListed {
                paths[name] = collection.path
            }
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

    /// The path that lists the records of a schema, which can be the short form of those that are below it.
    func path(of name: String) -> String? { paths[name] }

    /// The schema whose records are below a path.
    func name(at path: String) -> String? { names[path] }
}
