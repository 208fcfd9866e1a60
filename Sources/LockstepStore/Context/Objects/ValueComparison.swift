@_spi(Generated) import LockstepTables

/// Compares two values property by property, for generated code: two representations, or a model and a representation.
///
/// It has a function for each type, and one that is generic for all others. Generated code is a list of short calls,
/// which compiles faster than conditions with operators.
@_spi(Generated) public struct ValueComparison {
    /// Whether all values so far were equal.
    public internal(set) var isEqual = true
    /// The keys whose values are not compared.
    private let omittedKeys: OmittedKeys
    /// Whether the values on the right have not been stored yet, so that their dates are rounded as the store does.
    let roundsDates: Bool

    /// Compares two representations.
    @_spi(Generated) public init() {
        omittedKeys = OmittedKeys()
        roundsDates = false
    }

    /// Compares a model with a representation. Keys that the representation omits are equal.
    @inline(never)
    @_spi(Generated) public init(with representation: some Representation) {
        omittedKeys = representation.omittedKeys
        roundsDates = true
    }

    /// Whether values are still compared, and those of this key are.
    func compares(_ key: String) -> Bool {
        isEqual && (key.isEmpty || !omittedKeys.contains(key))
    }

    /// Compares two values. A key is given if a representation can omit it.
    @inline(never)
    @_spi(Generated) public mutating func value<Value: Equatable>(_ left: Value, _ right: Value, _ key: String = "") {
        if compares(key) { isEqual = left == right }
    }

    /// Compares two optional values. A key is given if a representation can omit it.
    @inline(never)
    @_spi(Generated) public mutating func optionalValue<Value: Equatable>(
        _ left: Value?, _ right: Value?, _ key: String = ""
    ) {
        if compares(key) { isEqual = left == right }
    }
}
