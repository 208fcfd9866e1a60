public import Foundation

/// Where a store is stored.
public enum StoreLocation: Sendable, Hashable {
    /// In a file, with its journal next to it. The file is created if needed; its folder must exist.
    case file(URL)
    /// In memory. It is deleted with the store.
    case inMemory
}

extension StoreLocation {
    /// The path, for errors.
    package var text: String {
        switch self {
        case .file(let url): url.isFileURL ? url.path : url.absoluteString
        case .inMemory: "in memory"
        }
    }
}
