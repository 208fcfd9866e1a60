import Foundation

/// A copy of the journal, on a device or the server.
struct JournalCopy {
    let holder: String
    let entries: [EntryRepresentation]

    /// The differences from another copy, with a line for each entry.
    func differences(from other: JournalCopy) -> [String] {
        let (ours, theirs) = (entriesByID, other.entriesByID)
        let ids = Set(ours.keys).union(theirs.keys).sorted { $0.uuidString < $1.uuidString }
        return ids.compactMap { id in
            switch (ours[id], theirs[id]) {
            case (let entry?, nil): "\(holder) has “\(entry.title)”, \(other.holder) does not."
            case (nil, let entry?): "\(other.holder) has “\(entry.title)”, \(holder) does not."
            case (let our, let their) where our == their: nil
            case (let our, _): "\(holder) and \(other.holder) differ in “\(our?.title ?? "")”."
            }
        }
    }

    private var entriesByID: [UUID: EntryRepresentation] {
        Dictionary(entries.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
