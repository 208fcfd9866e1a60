import Foundation
import HTTPTypes
import LockstepTables

/// The request with which a change is sent.
struct RESTWrite {
    let method: HTTPRequest.Method
    let address: RemoteAddress
    let fields: HTTPFields
    let body: Data?

    /// - Parameters:
    ///   - read: The members to send, if the record was read before.
    ///   - version: The version of that record.
    ///   - remote: The remote that sends it.
    init(_ change: OutgoingChange, read: Data?, basedOn version: String?, remote: RESTRemote) throws {
        let conventions = remote.conventions(of: change.entity)
        var fields = conventions.writingFields(of: change.kind)
        var members: Data?
        switch change.kind {
        case .create where conventions.writes.createsByPut && change.identity != nil:
            method = .put
            members = change.body
            if remote.traits.hasVersions { fields[.ifNoneMatch] = "*" }
        case .create:
            method = .post
            members = change.body
            fields[.idempotencyKey] = conventions.writes.idempotencyKeys.value(of: change.idempotencyKey)
        case .update:
            method = conventions.writes.updates.method
            members = read ?? conventions.writes.updates.body(of: change)
        case .delete: method = .delete
        }
        if remote.traits.hasVersions { fields.askForUnchangedTag() }
        let known = remote.traits.hasVersions && change.kind != .create ? change.version : nil
        if let condition = version ?? known { fields[.ifMatch] = condition }
        self.fields = fields
        body = try members.map { try remote.form(of: change.entity).body(of: $0, identity: change.identity) }
        address =
            method == .post && change.kind == .create
            ? try remote.collectionAddress(of: change.entity, method: method)
            : try remote.recordAddress(of: change, method: method)
    }
}

extension RESTRemote {
    /// The address of the record that a change is made to, with the version that it was made to, if the address says
    /// it.
    fileprivate func recordAddress(of change: OutgoingChange, method: HTTPRequest.Method) throws -> RemoteAddress {
        let address = try recordAddress(of: change.identity, in: change.entity, method: method)
        guard let version = change.versionAttribute else { return address }
        let conventions = conventions(of: change.entity)
        let value = RemoteIdentity([version.value]).text
        switch conventions.addresses.records {
        case .filter(let comparison): return address.appending(version.parameter, value: comparison + value)
        case .path where change.kind == .delete && conventions.writes.deletesTellVersion:
            return address.appending(version.parameter, value: value)
        case .path: return address
        }
    }
}

extension RESTConventions {
    /// The fields of a request that reads.
    var readingFields: HTTPFields {
        var fields = fields
        fields[.accept] = mediaType
        return fields
    }

    /// The fields of a request that writes.
    fileprivate func writingFields(of kind: OutgoingChange.Kind) -> HTTPFields {
        var fields = readingFields
        switch kind {
        case .create: fields[.contentType] = mediaType
        case .update: fields[.contentType] = writes.updates.mediaType ?? mediaType
        case .delete: break
        }
        if let prefer = writes.preferences?(kind) { fields[.prefer] = prefer }
        return fields
    }
}

extension HTTPField.Name {
    /// The field of RFC 7240.
    fileprivate static let prefer = HTTPField.Name("Prefer")!
}

extension RESTConventions.IdempotencyKeys {
    /// The field's value.
    func value(of key: String) -> String {
        guard self == .quoted else { return key }
        // A structured string has visible ASCII characters only, and escapes two of them (RFC 9651, 3.3.3).
        let visible = CharacterSet(charactersIn: " "..."~").subtracting(CharacterSet(charactersIn: "%"))
        let isVisible = key.unicodeScalars.allSatisfy { (" "..."~").contains($0) }
        let text = isVisible ? key : key.addingPercentEncoding(withAllowedCharacters: visible) ?? key
        let escaped = text.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}

extension OutgoingChange.VersionAttribute {
    /// The parameter with the version, in the format of Rails: `lock_version`, or `meta[version]` for a path.
    fileprivate var parameter: String { (path.first ?? "") + path.dropFirst().map { "[\($0)]" }.joined() }
}
