public import LockstepTables

extension RESTConventions {
    /// The members around records in the bodies of requests and responses, apart for each kind of body. An empty path
    /// means that there is nothing around them.
    ///
    /// ```swift
    /// conventions.envelope = .under("data")  // {"data": [{…}]}, {"data": {…}}
    /// conventions.envelope = Envelope(list: "items")  // {"items": [{…}], "total": 7}, and single records as they are
    /// conventions.envelope = Envelope(list: ["_embedded", "articles"])
    /// conventions.envelope = .jsonAPI
    /// ```
    ///
    /// With `wrap` in the schema, the wrapped record is inside of the envelope: `{"data": {"article": {…}}}`. A record
    /// proves a write only inside of its envelope (rule P13), and a response in another shape is reported with the path
    /// that was expected.
    public struct Envelope: Sendable, Hashable {
        /// The keys that lead to the records in the response with a collection. If it is empty,
        /// ``RESTConventions/Reads/collections`` says where they are.
        package var list: WirePath
        /// The keys that lead to the record in a response with one record.
        package var record: WirePath
        /// The keys that a record is sent under.
        package var request: WirePath
        /// Whether records are resources of JSON:API.
        package var resources: Resources?

        /// Creates an envelope. What is omitted is not enveloped.
        ///
        /// - Parameters:
        ///   - list: The keys that lead to the records in the response with a collection. If it is empty,
        ///     ``RESTConventions/Reads/collections`` says where they are.
        ///   - record: The keys that lead to the record in a response with one record.
        ///   - request: The keys that a record is sent under.
        ///   - resources: Whether records are resources of JSON:API.
        public init(list: WirePath = [], record: WirePath = [], request: WirePath = [], resources: Resources? = nil) {
            self.list = list
            self.record = record
            self.request = request
            self.resources = resources
        }

        /// Bodies are the records themselves.
        public static let none = Envelope()

        /// Collections and single records are under one path in responses: `{"data": …}`.
        ///
        /// - Parameters:
        ///   - path: The key, or several that lead to it.
        ///   - requests: Whether records are sent in the same way. Otherwise they are sent as they are.
        public static func under(_ path: WirePath, requests: Bool = true) -> Envelope {
            Envelope(list: path, record: path, request: requests ? path : [])
        }

        /// Documents of JSON:API 1.1, with the last part of a collection's path as the type of its resources.
        public static let jsonAPI = jsonAPI(type: nil)

        /// Documents of JSON:API 1.1.
        ///
        /// A resource becomes a record: its attributes, its `id` as the identity, and the ids of each relationship that
        /// the schema reads as `wire: id` or `ids`. Records are sent in the same way. Other relationships, `included`
        /// resources, links and metadata are not read: pull each entity from its own path.
        ///
        /// - Parameter type: The type of the resources; `nil` for the last part of the collection's path.
        public static func jsonAPI(type: String?) -> Envelope {
            Envelope(list: "data", record: "data", request: "data", resources: Resources(type: type))
        }

        /// How resources of JSON:API are named.
        public struct Resources: Sendable, Hashable {
            /// The type of the resources; `nil` for the last part of the collection's path.
            package var type: String?

            /// - Parameter type: The type of the resources; `nil` for the last part of the collection's path.
            public init(type: String? = nil) { self.type = type }
        }
    }
}
