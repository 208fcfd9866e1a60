package import GRDB

/// A row of values in memory, which is read in the same way as a row of the store: types and texts are preserved
/// exactly.
///
/// ```swift
/// let row = ValueRow(of: object)
/// other.load(column, from: row.reader)
/// ```
///
/// A foreign key of several columns is one property: a row that has one of them must have all.
package struct ValueRow {
    private var values: [Int: DatabaseValue]
    /// The files with the attachments that the row refers to.
    let files: AttachmentFiles?

    /// Creates a row from the values of some columns, by index; the others are NULL.
    package init(_ values: [Int: DatabaseValue]) { self.init(values, files: nil) }

    package init(_ values: [Int: DatabaseValue], files: AttachmentFiles?) {
        self.values = values
        self.files = files
    }

    /// The value of a column; NULL if there is none.
    package subscript(column: Int) -> DatabaseValue {
        get { values[column] ?? .null }
        set { values[column] = newValue }
    }

    /// Sets the value of a column that has none yet.
    package mutating func keep(_ value: DatabaseValue, column: Int) {
        if values[column] == nil { values[column] = value }
    }

    /// The columns that have a value, in their order.
    package var columns: [Int] { values.keys.sorted() }

    /// Reads the row. The reader is valid as long as the row exists.
    package var reader: RowReader { RowReader(self) }
}
