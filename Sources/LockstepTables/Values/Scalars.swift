public import Foundation
public import GRDB
@_spi(Requirements) public import LockstepValues

extension String: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .string(let value) = storedValue.storage else { return nil }
        self = value
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        if limits.isOfIdentity, utf8.contains(0) { return .nul }
        // Most are short enough by their number of bytes already; a scalar has one to four.
        let bytes = utf8.count
        if bytes <= limits.maximumLength ?? .max, (bytes + 3) / 4 >= limits.minimumLength ?? 0 { return nil }
        return limits.violation(length: unicodeScalars.count)
    }

    @_spi(Requirements) public static func isIdentical(_ left: String, _ right: String) -> Bool {
        // Most texts that differ also differ in Swift.
        left == right && left.utf8.elementsEqual(right.utf8)
    }

    @_spi(Requirements) public static var placeholder: String { "" }
}

extension Bool: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .int64(let value) = storedValue.storage else { return nil }
        self = value != 0
    }

    @_spi(Requirements) public var storedJSON: JSONValue { .bool(self) }

    @_spi(Requirements) public static var placeholder: Bool { false }
}

extension Data: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        switch storedValue.storage {
        case .blob(let value): self = value
        // SQLite sometimes treats an empty text as an empty blob.
        case .string(let value) where value.isEmpty: self = Data()
        default: return nil
        }
    }

    @_spi(Requirements) public init?(storedJSON: JSONValue) {
        guard case .string(let text) = storedJSON else { return nil }
        self.init(base64Encoded: text)
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? { limits.violation(length: count) }

    @_spi(Requirements) public static var placeholder: Data { Data() }
}

extension UUID: AttributeValue {
    /// Lowercase, as servers and PostgreSQL encode it.
    @_spi(Requirements) public var storedValue: DatabaseValue { lowercaseText.databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .string(let text) = storedValue.storage else { return nil }
        self.init(uuidString: text)
    }

    @_spi(Requirements) public static var placeholder: UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    }
}

extension URL: AttributeValue {
    @_spi(Requirements) public var storedValue: DatabaseValue { absoluteString.databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .string(let text) = storedValue.storage else { return nil }
        self.init(string: text)
    }

    /// A URL is stored without its base.
    @_spi(Requirements) public static func isIdentical(_ left: URL, _ right: URL) -> Bool {
        left == right || left.absoluteString == right.absoluteString
    }

    @_spi(Requirements) public static var placeholder: URL { URL(fileURLWithPath: "/") }
}

extension Date: AttributeValue {
    /// Seconds since 1970.
    @_spi(Requirements) public var storedValue: DatabaseValue {
        Self.roundedToStore(timeIntervalSince1970).databaseValue
    }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard let seconds = Double(storedValue: storedValue) else { return nil }
        self.init(timeIntervalSince1970: seconds)
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        timeIntervalSince1970.isFinite ? nil : .notFinite
    }

    @_spi(Requirements) public static var placeholder: Date { Date(timeIntervalSince1970: 0) }
}

extension Day: AttributeValue {
    /// The text, which SQLite sorts in the order of days.
    @_spi(Requirements) public var storedValue: DatabaseValue { description.databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .string(let text) = storedValue.storage else { return nil }
        self.init(text)
    }

    @_spi(Requirements) public static var placeholder: Day { Day(Date(timeIntervalSince1970: 0), in: .gmt) }
}

extension Array: IdentityValue where Element: AttributeValue {}

extension Array: AttributeValue where Element: AttributeValue {
    /// The list as JSON text.
    @_spi(Requirements) public var storedValue: DatabaseValue { StoredJSON.text(of: storedJSON).databaseValue }

    @_spi(Requirements) public init?(storedValue: DatabaseValue) {
        guard case .string(let text) = storedValue.storage, let json = StoredJSON.value(from: text) else { return nil }
        self.init(storedJSON: json)
    }

    @_spi(Requirements) public var storedJSON: JSONValue { .array(map(\.storedJSON)) }

    @_spi(Requirements) public init?(storedJSON: JSONValue) {
        guard case .array(let elements) = storedJSON else { return nil }
        self.init()
        reserveCapacity(elements.count)
        for element in elements {
            guard let value = Element(storedJSON: element) else { return nil }
            append(value)
        }
    }

    @_spi(Requirements) public init(wire source: WireSource) throws {
        self = try source.list(of: Element.init(wire:))
    }

    @_spi(Requirements) public func write(to target: WireTarget) throws {
        try target.write(list: self) { element, target in try element.write(to: target) }
    }

    @_spi(Requirements) public func violation(of limits: Limits) -> LimitViolation? {
        if let violation = limits.violation(length: count) { return violation }
        // Lengths limit the list; elements that cannot be stored at all (not-a-number) are still errors.
        for element in self {
            if let violation = element.violation(of: .none) { return violation }
        }
        return nil
    }

    @_spi(Requirements) public static func isIdentical(_ left: [Element], _ right: [Element]) -> Bool {
        left.elementsEqual(right, by: Element.isIdentical)
    }

    @_spi(Requirements) public static var placeholder: [Element] { [] }
}
