public import Foundation

// The setters of generated models call these instead of the generic functions: a call takes the values as they are, and
// the code of every property is shorter for it. They are not inlined, so that it stays short.
extension ManagedObject {
    /// Reports that a string property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeString(_ column: Int, from old: String, to new: String) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional string property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalString(_ column: Int, from old: String?, to new: String?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a Bool property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeBool(_ column: Int, from old: Bool, to new: Bool) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional Bool property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalBool(_ column: Int, from old: Bool?, to new: Bool?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that an `Int` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeInt(_ column: Int, from old: Int, to new: Int) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional `Int` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalInt(_ column: Int, from old: Int?, to new: Int?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that an `Int16` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeInt16(_ column: Int, from old: Int16, to new: Int16) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional `Int16` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalInt16(_ column: Int, from old: Int16?, to new: Int16?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that an `Int32` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeInt32(_ column: Int, from old: Int32, to new: Int32) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional `Int32` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalInt32(_ column: Int, from old: Int32?, to new: Int32?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that an `Int64` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeInt64(_ column: Int, from old: Int64, to new: Int64) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional `Int64` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalInt64(_ column: Int, from old: Int64?, to new: Int64?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a `Float` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeFloat(_ column: Int, from old: Float, to new: Float) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional `Float` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalFloat(_ column: Int, from old: Float?, to new: Float?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a `Double` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeDouble(_ column: Int, from old: Double, to new: Double) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional `Double` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalDouble(_ column: Int, from old: Double?, to new: Double?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a `Decimal` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeDecimal(_ column: Int, from old: Decimal, to new: Decimal) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional `Decimal` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalDecimal(_ column: Int, from old: Decimal?, to new: Decimal?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a date property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeDate(_ column: Int, from old: Date, to new: Date) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional date property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalDate(_ column: Int, from old: Date?, to new: Date?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a UUID property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeUUID(_ column: Int, from old: UUID, to new: UUID) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional UUID property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalUUID(_ column: Int, from old: UUID?, to new: UUID?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a URL property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeURL(_ column: Int, from old: URL, to new: URL) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional URL property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalURL(_ column: Int, from old: URL?, to new: URL?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a `Data` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeData(_ column: Int, from old: Data, to new: Data) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional `Data` property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalData(_ column: Int, from old: Data?, to new: Data?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a JSON property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeJSON(_ column: Int, from old: JSONValue, to new: JSONValue) {
        didChange(column, from: old, to: new)
    }

    /// Reports that an optional JSON property has changed.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalJSON(_ column: Int, from old: JSONValue?, to new: JSONValue?) {
        didChangeOptional(column, from: old, to: new)
    }
}
