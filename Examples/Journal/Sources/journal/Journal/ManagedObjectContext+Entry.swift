import Foundation
import LockstepStore

extension ManagedObjectContext {
    /// The entry whose identifier begins with this text.
    ///
    /// - Throws: ``JournalError`` if there is none, or more than one.
    func entry(_ start: String) throws -> Entry {
        let start = start.lowercased()
        let ids = try ids(Entry.all()).filter { $0.uuidString.lowercased().hasPrefix(start) }
        guard !start.isEmpty, let id = ids.first, let entry = try find(Entry.self, id) else {
            throw JournalError.noEntry(start)
        }
        guard ids.count == 1 else { throw JournalError.severalEntries(start, count: ids.count) }
        return entry
    }
}
