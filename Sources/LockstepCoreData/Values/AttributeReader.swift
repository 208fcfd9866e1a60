import Foundation
import GRDB
import LockstepEvolution
import LockstepJSON
import LockstepStore

/// Reads an attribute of Core Data as a column of the schema.
struct AttributeReader {
    let attribute: CoreDataMap.Attribute
    let column: ColumnDescription
    private let external: ExternalData
    private let closedValues: Set<CaseValue>?

    init(_ attribute: CoreDataMap.Attribute, column: ColumnDescription, external: ExternalData) {
        (self.attribute, self.column, self.external) = (attribute, column, external)
        if case .enumeration(_, closed: let values?) = column.type {
            closedValues = Set(values)
        } else {
            closedValues = nil
        }
    }

    /// The value as the column stores it; `nil` for no value.
    ///
    /// - Throws: ``Misfit``; `StoreError` if an attachment cannot be written.
    func stored(_ raw: DatabaseValue, attachments: CopiedAttachments) throws -> DatabaseValue? {
        if raw.isNull { return nil }
        if column.type == .attachment { return try attachment(raw, attachments: attachments) }
        let type: StoredType = if case .custom(let custom) = column.type { custom.stored } else { column.type }
        guard let value = try native(raw, as: type) else { return nil }
        // It was made of a UUID: there is nothing more to check, and reading a UUID takes long.
        if case .uuid = attribute.type, column.type == .uuid { return value }
        if case .custom(let custom) = column.type {
            switch custom.keep(value, in: column.limits) {
            case .success(let value)?: return value
            case .failure(let violation)?: throw Misfit(violation.description)
            case nil: throw Misfit("it is not a value of the attribute's type")
            }
        }
        let valueType: any AttributeValue.Type = column.type.valueType
        return try Self.checked(value, limits: column.limits, closed: closedValues, as: valueType)
    }

    private static func checked<Value: AttributeValue>(
        _ stored: DatabaseValue, limits: Limits, closed: Set<CaseValue>?, as type: Value.Type
    ) throws -> DatabaseValue {
        guard let value = Value(storedValue: stored) else { throw Misfit("it is not a value of the attribute's type") }
        if let violation = value.violation(of: limits) { throw Misfit(violation.description) }
        let result = value.storedValue
        if let closed {
            let raw: CaseValue? =
                switch result.storage {
                case .string(let text): .string(text)
                case .int64(let number): .int(number)
                default: nil
                }
            guard let raw, closed.contains(raw) else { throw Misfit("it is none of the values of the closed enum") }
        }
        return result
    }

    private func attachment(_ raw: DatabaseValue, attachments: CopiedAttachments) throws -> DatabaseValue {
        let attachment: FileAttachment
        switch attribute.isExternal ? try external.bytes(try bytes(raw)) : .data(try bytes(raw)) {
        case .data(let data): attachment = FileAttachment(data)
        case .file(let file): attachment = try FileAttachment(contentsOf: file)
        }
        if let violation = attachment.violation(of: column.limits) { throw Misfit(violation.description) }
        try attachments.add(attachment)
        return attachment.storedValue
    }

    private func bytes(_ raw: DatabaseValue) throws(Misfit) -> Data {
        guard case .blob(let data) = raw.storage else { throw Misfit("it is not data") }
        return data
    }

    // MARK: The types of the model

    /// The parts of a composite attribute as a JSON object; null if none has a value.
    func composite(_ values: [DatabaseValue]) -> DatabaseValue {
        let members = zip(attribute.parts, values).filter { !$1.isNull }.map { part, raw in
            (ExactText(part.name), Self.part(raw, as: part.type))
        }
        let object = Dictionary(members) { first, _ in first }
        return object.isEmpty ? .null : ArchivedValue.stored(.object(object), as: .json) ?? .null
    }

    private static func part(_ raw: DatabaseValue, as type: CoreDataMap.AttributeType) -> KeyedArchive.Value {
        switch (type, raw.storage) {
        case (.boolean, .int64(let number)): .bool(number != 0)
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.date, .int64(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.uuid, .blob(let bytes)): UUID(bytes: bytes).map { .uuid($0) } ?? .data(bytes)
        case (_, .int64(let number)): .integer(number)
        case (_, .double(let number)): .real(number)
        case (_, .string(let text)): .string(text)
        case (_, .blob(let bytes)): .data(bytes)
        case (_, .null): .null
        }
    }

    /// The value in the form in which the language's type for it is stored.
    private func native(_ raw: DatabaseValue, as type: StoredType) throws(Misfit) -> DatabaseValue? {
        switch attribute.type {
        case .string, .boolean, .integer16, .integer32, .integer64: return raw
        case .double, .float:
            if case .int64(let number) = raw.storage { return Double(number).databaseValue }
            return raw
        case .decimal:
            // A number keeps the digits that it has when it is written.
            if case .double(let number) = raw.storage { return "\(number)".databaseValue }
            if case .int64(let number) = raw.storage { return "\(number)".databaseValue }
            return raw
        case .date: return try date(raw, as: type)
        case .uri:
            guard case .string(let text) = raw.storage else { throw Misfit("it is not a URL") }
            return text.databaseValue
        case .uuid: return try uuid(raw)
        case .binary: return (attribute.isExternal ? try external.data(try bytes(raw)) : try bytes(raw)).databaseValue
        case .transformable:
            let data = attribute.isExternal ? try external.data(try bytes(raw)) : try bytes(raw)
            if case .data = type { return data.databaseValue }
            guard let value = KeyedArchive.value(data) else {
                throw Misfit("it is not an archive of texts, numbers, dates and collections of them")
            }
            return ArchivedValue.stored(value, as: type)
        case .composite: return raw
        }
    }

    /// Core Data counts from 2001.
    private func date(_ raw: DatabaseValue, as type: StoredType) throws(Misfit) -> DatabaseValue {
        guard let seconds = Double(storedValue: raw) else { throw Misfit("it is not a date") }
        guard case .date = type else { return raw }
        return (seconds + Date.timeIntervalBetween1970AndReferenceDate).databaseValue
    }

    private func uuid(_ raw: DatabaseValue) throws(Misfit) -> DatabaseValue {
        let uuid: UUID? =
            switch raw.storage {
            case .blob(let bytes): UUID(bytes: bytes)
            case .string(let text): UUID(uuidString: text)
            default: nil
            }
        guard let uuid else { throw Misfit("it is not a UUID") }
        return uuid.storedValue
    }
}

/// Writes an archived value as a column stores it.
enum ArchivedValue {
    /// - Returns: `nil` for no value.
    static func stored(_ value: KeyedArchive.Value, as type: StoredType) -> DatabaseValue? {
        switch (type, value) {
        case (_, .null): nil
        case (.json, _): StoredJSON.text(of: json(value, of: nil)).databaseValue
        case (.list(of: let element), _): StoredJSON.text(of: json(value, of: element)).databaseValue
        case (.data, .data(let data)): data.databaseValue
        case (_, .date(let date)): date.timeIntervalSince1970.databaseValue
        case (_, .uuid(let uuid)): uuid.storedValue
        case (_, .string(let text)): text.databaseValue
        case (_, .bool(let flag)): flag.databaseValue
        case (_, .integer(let number)): number.databaseValue
        case (_, .real(let number)): number.databaseValue
        case (_, .data(let data)): data.databaseValue
        case (_, .array), (_, .object): StoredJSON.text(of: json(value, of: nil)).databaseValue
        }
    }

    /// - Parameter element: The type of a list's elements; `nil` in JSON, where dates are texts.
    private static func json(_ value: KeyedArchive.Value, of element: StoredType?) -> JSONValue {
        switch value {
        case .null: .null
        case .bool(let flag): .bool(flag)
        case .integer(let number): .integer(number)
        case .real(let number): JSONValue.double(number)
        case .string(let text): .string(text)
        case .date(let date):
            element == nil ? ISO8601.text(of: date).map(JSONValue.string) ?? .null : .double(date.timeIntervalSince1970)
        case .data(let data): .string(data.base64EncodedString())
        case .uuid(let uuid): .string(uuid.uuidString.lowercased())
        case .array(let elements): .array(elements.map { json($0, of: element) })
        case .object(let members): .object(JSONObject(members.map { ($0.text, json($1, of: nil)) }))
        }
    }
}
