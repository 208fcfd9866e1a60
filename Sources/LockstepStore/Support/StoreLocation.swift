public import Foundation

/// Where a store is kept.
public enum StoreLocation: Sendable, Hashable {
    /// In a file, with its journal beside it. It is made if there is none; its folder must be there.
    case file(URL)
    /// In memory, gone with the store.
    case inMemory
}

extension StoreLocation {
    /// The path, for errors.
    var text: String {
        switch self {
        case .file(let url): url.isFileURL ? url.path : url.absoluteString
        case .inMemory: "in memory"
        }
    }
}
