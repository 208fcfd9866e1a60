/// A representation that a row is enough for: its JSON has the entity's attributes and foreign keys, and nothing of
/// other records.
public protocol RowRepresentation: Representation {
    /// Reads the representation from a row of all columns, in the order of the entity's description.
    init(row: RowReader)

    /// Appends the representation of a row to `list`.
    static func append(_ row: RowReader, to list: inout [Self])
}

extension RowRepresentation {
    // The one call for each row that must know the type: inlinable, so that it is compiled for each representation.
    @inlinable
    public static func append(_ row: RowReader, to list: inout [Self]) { list.append(Self(row: row)) }
}
