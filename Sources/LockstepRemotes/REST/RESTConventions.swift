public import HTTPTypes

/// The conventions of a REST server. The defaults are those of Ruby on Rails.
///
/// ```swift
/// var conventions = RESTConventions()
/// conventions.headers[.acceptLanguage] = "de"
/// conventions.envelope = .under("data")
/// conventions.reads.paging = .cursor(in: ["page", "next_cursor"], parameter: "cursor", size: ("limit", 100))
/// conventions.writes.updates = .mergePatch
/// ```
///
/// ``jsonAPI`` and ``postgREST(creations:pageSize:)`` describe servers of these kinds. The page <doc:Remotes> lists
/// which option is for which API.
public struct RESTConventions: Sendable {
    /// Additional fields of each request.
    public var headers: HTTPFields = [:]
    /// The schema that each request names in the field `Lockstep-Schema`; `nil` for none. A server can use it to
    /// respond in the form of the app's version, or with 426 to a version that is too old.
    public var schema: SchemaHeader?
    /// The media type of bodies, in both directions.
    public var mediaType = "application/json"
    /// The members around records in the bodies of requests and responses.
    public var envelope = Envelope.none
    /// The addresses of collections and records.
    public var addresses = Addresses()
    /// How collections are requested, and how records are laid out in the responses.
    public var reads = Reads()
    /// How changes are sent, and which responses confirm them.
    public var writes = Writes()
    /// Where the response with which the server rejects a request says why.
    public var errors: ErrorFormat = .automatic

    public init() {}

    /// The fields of each request.
    var fields: HTTPFields {
        var fields = headers
        if let schema { fields[SchemaHeader.name] = schema.value }
        return fields
    }
}
