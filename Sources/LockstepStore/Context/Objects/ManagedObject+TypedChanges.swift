public import Foundation

// The setters of generated models call these instead of the generic functions: a call takes the values as they are, and
// the code of every property is shorter for it. They are not inlined, so that it stays short.
extension ManagedObject {
    /// Reports that a property has changed that holds a string.
    @inline(never)
    @_spi(Generated) public final func didChangeString(_ column: Int, from old: String, to new: String) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a string, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalString(_ column: Int, from old: String?, to new: String?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a Bool.
    @inline(never)
    @_spi(Generated) public final func didChangeBool(_ column: Int, from old: Bool, to new: Bool) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a Bool, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalBool(_ column: Int, from old: Bool?, to new: Bool?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Int`.
    @inline(never)
    @_spi(Generated) public final func didChangeInt(_ column: Int, from old: Int, to new: Int) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Int`, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalInt(_ column: Int, from old: Int?, to new: Int?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Int16`.
    @inline(never)
    @_spi(Generated) public final func didChangeInt16(_ column: Int, from old: Int16, to new: Int16) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Int16`, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalInt16(_ column: Int, from old: Int16?, to new: Int16?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Int32`.
    @inline(never)
    @_spi(Generated) public final func didChangeInt32(_ column: Int, from old: Int32, to new: Int32) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Int32`, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalInt32(_ column: Int, from old: Int32?, to new: Int32?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Int64`.
    @inline(never)
    @_spi(Generated) public final func didChangeInt64(_ column: Int, from old: Int64, to new: Int64) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Int64`, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalInt64(_ column: Int, from old: Int64?, to new: Int64?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Float`.
    @inline(never)
    @_spi(Generated) public final func didChangeFloat(_ column: Int, from old: Float, to new: Float) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Float`, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalFloat(_ column: Int, from old: Float?, to new: Float?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Double`.
    @inline(never)
    @_spi(Generated) public final func didChangeDouble(_ column: Int, from old: Double, to new: Double) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Double`, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalDouble(_ column: Int, from old: Double?, to new: Double?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Decimal`.
    @inline(never)
    @_spi(Generated) public final func didChangeDecimal(_ column: Int, from old: Decimal, to new: Decimal) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a number of type `Decimal`, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalDecimal(_ column: Int, from old: Decimal?, to new: Decimal?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a date.
    @inline(never)
    @_spi(Generated) public final func didChangeDate(_ column: Int, from old: Date, to new: Date) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a date, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalDate(_ column: Int, from old: Date?, to new: Date?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a UUID.
    @inline(never)
    @_spi(Generated) public final func didChangeUUID(_ column: Int, from old: UUID, to new: UUID) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a UUID, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalUUID(_ column: Int, from old: UUID?, to new: UUID?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a URL.
    @inline(never)
    @_spi(Generated) public final func didChangeURL(_ column: Int, from old: URL, to new: URL) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds a URL, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalURL(_ column: Int, from old: URL?, to new: URL?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds bytes.
    @inline(never)
    @_spi(Generated) public final func didChangeData(_ column: Int, from old: Data, to new: Data) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds bytes, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalData(_ column: Int, from old: Data?, to new: Data?) {
        didChangeOptional(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds any JSON.
    @inline(never)
    @_spi(Generated) public final func didChangeJSON(_ column: Int, from old: JSONValue, to new: JSONValue) {
        didChange(column, from: old, to: new)
    }

    /// Reports that a property has changed that holds any JSON, or `nil`.
    @inline(never)
    @_spi(Generated) public final func didChangeOptionalJSON(_ column: Int, from old: JSONValue?, to new: JSONValue?) {
        didChangeOptional(column, from: old, to: new)
    }
}
