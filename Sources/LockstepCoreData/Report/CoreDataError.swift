public import Foundation

/// Why the rows of a Core Data store could not be read. Nothing was copied, and neither store was changed.
///
/// Errors of the store that the rows are copied into are `StoreError`.
public struct CoreDataError: Error, Sendable {
    /// The kind of error.
    public let code: Code
    /// The file.
    public let url: URL
    /// A description of the problem.
    public let reason: String
    /// An instruction that solves the problem.
    public let remedy: String
    /// SQLite's result code; `nil` if the error is not SQLite's.
    public let resultCode: Int?

    /// The kinds of errors.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// There is no such file, or it cannot be opened.
        case cannotOpen
        /// It is not an SQLite file, or it is encrypted.
        case notADatabase
        /// It is an SQLite file without the tables of Core Data.
        case notCoreData
        /// SQLite cannot read it because its contents are damaged.
        case damaged
        /// A process ended while it wrote the file, which must be opened for writing first.
        case needsRecovery
        /// It belongs to another version of the model: something that the map names is missing.
        case otherVersion
        /// Something else prevents reading it.
        case unreadable
        /// The map contradicts itself or the schema.
        case wrongMap
    }

    init(_ code: Code, url: URL, reason: String, remedy: String, resultCode: Int? = nil) {
        (self.code, self.url, self.reason, self.remedy) = (code, url, reason, remedy)
        self.resultCode = resultCode
    }
}

extension CoreDataError: CustomStringConvertible {
    public var description: String { "reading “\(url.path)”: \(reason). \(remedy) [\(code.rawValue)]" }
}

extension CoreDataError: LocalizedError {
    /// The same as ``description``. It is for developers.
    @_spi(Requirements) public var errorDescription: String? { description }
}
