import Foundation

/// Encodes one value as a `JSONValue`, without a text in between.
///
/// Numbers get the digits that `JSONEncoder` writes. A value that encodes nothing is `null`.
package final class JSONValueEncoder: Encoder {
    package let codingPath: [any CodingKey]
    package let userInfo: [CodingUserInfoKey: Any]
    private var content = Content.value(.null)

    private enum Content {
        case value(JSONValue)
        case array([JSONValueEncoder])
        case object([ExactText: JSONValueEncoder])
    }

    package init(codingPath: [any CodingKey] = [], userInfo: [CodingUserInfoKey: Any] = [:]) {
        self.codingPath = codingPath
        self.userInfo = userInfo
    }

    /// The encoded value.
    package var value: JSONValue {
        switch content {
        case .value(let value): value
        case .array(let elements): .array(elements.map(\.value))
        case .object(let members): .object(JSONObject(members.lazy.map { ($0.text, $1.value) }))
        }
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .object = content {} else { content = .object([:]) }
        return KeyedEncodingContainer(KeyedContainer<Key>(encoder: self))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .array = content {} else { content = .array([]) }
        return UnkeyedContainer(encoder: self)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { SingleValueContainer(encoder: self) }

    // MARK: Values

    fileprivate func encode(_ value: some Encodable) throws {
        switch value {
        case let value as JSONValue: content = .value(try finite(value))
        case let value as String: content = .value(.string(value))
        case let value as Bool: content = .value(.bool(value))
        case let value as any BinaryInteger: content = .value(try number(value, text: value.description))
        case let value as Double: content = .value(try number(value, text: value.description))
        case let value as Float: content = .value(try number(value, text: value.description))
        case let value as Decimal: content = .value(try number(value, text: value.description))
        default: try value.encode(to: self)
        }
    }

    private func number(_ value: Any, text: String) throws -> JSONValue {
        guard let number = StoredJSON.number(text) else { throw invalid(value) }
        return number
    }

    /// A value whose numbers all are numbers.
    private func finite(_ value: JSONValue) throws -> JSONValue {
        switch value {
        case .decimal(let number) where number.isNaN: throw invalid(number)
        case .double(let number) where !number.isFinite: throw invalid(number)
        case .array(let elements): return .array(try elements.map(finite))
        case .object(let members): return .object(try members.mapValues(finite))
        default: return value
        }
    }

    private func invalid(_ value: Any) -> EncodingError {
        .invalidValue(
            value, EncodingError.Context(codingPath: codingPath, debugDescription: "JSON cannot hold this number."))
    }

    fileprivate func appendElement() -> JSONValueEncoder {
        guard case .array(var elements) = content else { preconditionFailure("The container is an array.") }
        content = .array([])
        let element = JSONValueEncoder(codingPath: codingPath + [IndexKey(index: elements.count)], userInfo: userInfo)
        elements.append(element)
        content = .array(elements)
        return element
    }

    fileprivate var elementCount: Int { if case .array(let elements) = content { elements.count } else { 0 } }

    fileprivate func setMember(_ key: any CodingKey) -> JSONValueEncoder {
        guard case .object(var members) = content else { preconditionFailure("The container is an object.") }
        content = .object([:])
        let name = ExactText(key.stringValue)
        let member = members[name] ?? JSONValueEncoder(codingPath: codingPath + [key], userInfo: userInfo)
        members[name] = member
        content = .object(members)
        return member
    }
}

private struct SingleValueContainer: SingleValueEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() throws { try encoder.encode(JSONValue.null) }

    func encode(_ value: some Encodable) throws { try encoder.encode(value) }
}

private struct UnkeyedContainer: UnkeyedEncodingContainer {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }
    var count: Int { encoder.elementCount }

    func encodeNil() throws { try encoder.appendElement().encode(JSONValue.null) }

    func encode(_ value: some Encodable) throws { try encoder.appendElement().encode(value) }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        encoder.appendElement().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.appendElement().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.appendElement() }
}

private struct KeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: JSONValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) throws { try encoder.setMember(key).encode(JSONValue.null) }

    func encode(_ value: some Encodable, forKey key: Key) throws { try encoder.setMember(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        encoder.setMember(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.setMember(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.setMember(SuperKey()) }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.setMember(key) }
}

private struct IndexKey: CodingKey {
    let index: Int

    init(index: Int) { self.index = index }

    init?(stringValue: String) { nil }

    init?(intValue: Int) { self.init(index: intValue) }

    var stringValue: String { "Index \(index)" }
    var intValue: Int? { index }
}

private struct SuperKey: CodingKey {
    init() {}

    init?(stringValue: String) { nil }

    init?(intValue: Int) { nil }

    var stringValue: String { "super" }
    var intValue: Int? { nil }
}
