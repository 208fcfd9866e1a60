public import GRDB

/// A generated enum that preserves raw values it does not know.
public protocol OpenEnum: AttributeValue, RawRepresentable, Codable, CaseIterable where RawValue: AttributeValue {
    /// The case of this raw value; `unknown` if the schema has none.
    init(rawValue: RawValue)
}

/// A generated enum that rejects values it does not know.
public protocol ClosedEnum: AttributeValue, RawRepresentable, Codable, CaseIterable where RawValue: AttributeValue {}

extension OpenEnum {
    public var storedValue: DatabaseValue { rawValue.storedValue }

    public init?(storedValue: DatabaseValue) {
        guard let raw = RawValue(storedValue: storedValue) else { return nil }
        self = Self.known(raw)
    }

    public init(wire source: WireSource) throws { self = Self.known(try RawValue(wire: source)) }

    public func write(to target: WireTarget) throws { try rawValue.write(to: target) }

    public func violation(of limits: Limits) -> LimitViolation? { rawValue.violation(of: limits) }

    public static func isIdentical(_ left: Self, _ right: Self) -> Bool {
        RawValue.isIdentical(left.rawValue, right.rawValue)
    }

    public static var placeholder: Self { allCases.first ?? known(.placeholder) }

    /// The initializer that cannot fail, of the two that the protocols require.
    private static func known(_ raw: RawValue) -> Self {
        let make: (RawValue) -> Self = Self.init(rawValue:)
        return make(raw)
    }

    /// Decodes the raw value.
    public init(from decoder: any Decoder) throws { try self.init(wire: WireSource(decoder)) }

    /// Encodes the raw value, also that of unknown cases.
    public func encode(to encoder: any Encoder) throws { try write(to: WireTarget(encoder)) }
}

extension ClosedEnum {
    public var storedValue: DatabaseValue { rawValue.storedValue }

    public init?(storedValue: DatabaseValue) {
        guard let raw = RawValue(storedValue: storedValue) else { return nil }
        self.init(rawValue: raw)
    }

    public init(wire source: WireSource) throws {
        let raw = try RawValue(wire: source)
        guard let value = Self(rawValue: raw) else {
            throw source.invalid("is not one of the values that \(Self.self) allows")
        }
        self = value
    }

    public func write(to target: WireTarget) throws { try rawValue.write(to: target) }

    public static var placeholder: Self {
        // An enum without cases has no values, so this is never called for one.
        allCases[allCases.startIndex]
    }

    /// Decodes the raw value; an unknown one is an error.
    public init(from decoder: any Decoder) throws { try self.init(wire: WireSource(decoder)) }

    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws { try write(to: WireTarget(encoder)) }
}
