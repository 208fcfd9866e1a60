/// A model as a value, which is sent to servers and passed between isolation domains.
public protocol Representation: WireObject {
    /// The model it represents.
    associatedtype Object: Model where Object.Representation == Self

    /// The record's identity on the server; `nil` if it has none yet.
    var wireIdentity: Object.WireIdentity? { get }
}

extension Representation {
    @_spi(Generated) public static var entity: EntityDescription { Object.entity }

    /// Whether the model has every value of the representation.
    public static func == (lhs: Self, rhs: Object) -> Bool { rhs.matches(lhs) }

    /// Whether the model has every value of the representation.
    public static func == (lhs: Object, rhs: Self) -> Bool { lhs.matches(rhs) }

    /// Whether the model differs from the representation.
    public static func != (lhs: Self, rhs: Object) -> Bool { !rhs.matches(lhs) }

    /// Whether the model differs from the representation.
    public static func != (lhs: Object, rhs: Self) -> Bool { !lhs.matches(rhs) }
}

/// A representation whose values are compared by generated code, which compiles faster than a synthesized `==`.
public protocol ComparedRepresentation: Representation {
    /// Whether all values are equal. Do not use `==` of two representations of this type here: it calls this method.
    func isEqual(to other: Self) -> Bool
}

extension ComparedRepresentation {
    /// Whether all values are equal. Keys that the JSON omitted have the values of the properties.
    public static func == (lhs: Self, rhs: Self) -> Bool { lhs.isEqual(to: rhs) }
}

/// A representation that can be read from a row: its JSON has the entity's attributes and foreign keys, and nothing
/// from other records.
public protocol RowRepresentation: Representation {
    /// Reads the representation from a row of all columns, in the order of the entity's description.
    init(row: RowReader)

    /// Appends the representation of a row to `list`.
    static func append(_ row: RowReader, to list: inout [Self])
}

extension RowRepresentation {
    // The one call for each row that must know the type. It is inlinable, so that it is compiled for each
    // representation.
    @inlinable
    @_spi(Generated) public static func append(_ row: RowReader, to list: inout [Self]) { list.append(Self(row: row)) }
}
