public import Foundation
public import LockstepJSON

// How each type of the schema language is read from a server's JSON, and written to it. LockstepTables's
// `AttributeValue` requires both.

extension String {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.string() }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(self) }
}

extension Bool {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.bool() }

    @_spi(Requirements) public func write(to target: WireTarget) throws {
        try target.asText ? target.write(self ? "true" : "false") : target.write(self)
    }
}

extension Int {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.wholeNumber() }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Int16 {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.wholeNumber() }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Int32 {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.wholeNumber() }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Int64 {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.wholeNumber() }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Double {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.double() }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Float {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.float() }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(number: self) }
}

extension Decimal {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.decimal() }

    @_spi(Requirements) public func write(to target: WireTarget) throws {
        guard let text = storedText else { throw target.invalid(self, reason: "is not a number") }
        try target.asText ? target.write(text) : target.write(self)
    }
}

extension Date {
    @_spi(Requirements) public init(wire source: WireSource) throws { self = try source.date() }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(self) }
}

extension Day {
    @_spi(Requirements) public init(wire source: WireSource) throws {
        var text = try source.text()
        guard let value = text.withUTF8(Day.init(wire:)) else { throw source.invalid("is not a day") }
        self = value
    }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(description) }
}

extension UUID {
    @_spi(Requirements) public init(wire source: WireSource) throws {
        guard let value = UUID(uuidString: try source.text()) else { throw source.invalid("is not a UUID") }
        self = value
    }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(lowercaseText) }

    /// As servers and PostgreSQL encode it.
    package var lowercaseText: String {
        String(unsafeUninitializedCapacity: 36) { target in
            write(lowercaseText: target)
            return 36
        }
    }
}

extension URL {
    @_spi(Requirements) public init(wire source: WireSource) throws {
        guard let value = URL(string: try source.text()) else { throw source.invalid("is not a URL") }
        self = value
    }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(absoluteString) }
}

extension Data {
    @_spi(Requirements) public init(wire source: WireSource) throws {
        guard let value = Data(base64Encoded: try source.text()) else { throw source.invalid("is not base64") }
        self = value
    }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try target.write(base64EncodedString()) }
}

extension JSONValue {
    @_spi(Requirements) public init(wire source: WireSource) throws { try self.init(from: source.decoder) }

    @_spi(Requirements) public func write(to target: WireTarget) throws { try encode(to: target.encoder) }
}
