import Foundation

/// What somebody has of a journal.
struct JournalCopy {
    let holder: String
    let entries: [EntryRepresentation]

    /// What somebody else has otherwise, in a line for each entry.
    func differences(from other: JournalCopy) -> [String] {
        let (ours, theirs) = (entriesByID, other.entriesByID)
        let ids = Set(ours.keys).union(theirs.keys).sorted { $0.uuidString < $1.uuidString }
        return ids.compactMap { id in
            switch (ours[id], theirs[id]) {
            case (let entry?, nil): "\(holder) has “\(entry.title)”, \(other.holder) has not."
            case (nil, let entry?): "\(other.holder) has “\(entry.title)”, \(holder) has not."
            case (let our, let their) where our == their: nil
            case (let our, _): "\(holder) and \(other.holder) differ in “\(our?.title ?? "")”."
            }
        }
    }

    private var entriesByID: [UUID: EntryRepresentation] {
        Dictionary(entries.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })
    }
}
