public import Foundation
public import LockstepJSON

// How each type of the schema language is read from a server's JSON, and written to it. LockstepStore's
// `AttributeValue` requires both.

extension String {
    public init(wire source: WireSource) throws { self = try source.string() }

    public func write(to target: WireTarget) throws { try target.write(self) }
}

extension Bool {
    public init(wire source: WireSource) throws { self = try source.bool() }

    public func write(to target: WireTarget) throws {
        try target.asText ? target.write(self ? "true" : "false") : target.write(self)
    }
}

extension Int {
    public init(wire source: WireSource) throws { self = try source.wholeNumber() }

    public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Int16 {
    public init(wire source: WireSource) throws { self = try source.wholeNumber() }

    public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Int32 {
    public init(wire source: WireSource) throws { self = try source.wholeNumber() }

    public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Int64 {
    public init(wire source: WireSource) throws { self = try source.wholeNumber() }

    public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Double {
    public init(wire source: WireSource) throws { self = try source.double() }

    public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Float {
    public init(wire source: WireSource) throws { self = try source.float() }

    public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Decimal {
    public init(wire source: WireSource) throws { self = try source.decimal() }

    public func write(to target: WireTarget) throws {
        guard let text = storedText else { throw target.invalid(self, reason: "is not a number") }
        try target.asText ? target.write(text) : target.write(self)
    }
}

extension Date {
    public init(wire source: WireSource) throws { self = try source.date() }

    public func write(to target: WireTarget) throws { try target.write(self) }
}

extension UUID {
    public init(wire source: WireSource) throws {
        guard let value = UUID(uuidString: try source.text()) else { throw source.invalid("is not a UUID") }
        self = value
    }

    public func write(to target: WireTarget) throws { try target.write(lowercaseText) }

    /// As servers and PostgreSQL encode it.
    package var lowercaseText: String {
        String(unsafeUninitializedCapacity: 36) { target in
            write(lowercaseText: target)
            return 36
        }
    }
}

extension URL {
    public init(wire source: WireSource) throws {
        guard let value = URL(string: try source.text()) else { throw source.invalid("is not a URL") }
        self = value
    }

    public func write(to target: WireTarget) throws { try target.write(absoluteString) }
}

extension Data {
    public init(wire source: WireSource) throws {
        guard let value = Data(base64Encoded: try source.text()) else { throw source.invalid("is not base64") }
        self = value
    }

    public func write(to target: WireTarget) throws { try target.write(base64EncodedString()) }
}

extension JSONValue {
    public init(wire source: WireSource) throws { try self.init(from: source.decoder) }

    public func write(to target: WireTarget) throws { try encode(to: target.encoder) }
}
