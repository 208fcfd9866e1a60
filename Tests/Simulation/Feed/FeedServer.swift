import LockstepSync

/// What the devices of a simulation sync with: a server whose lists are scopes of their own, to which their tasks
/// belong.
protocol FeedServer: AnyObject {
    func remote(for user: String) throws -> any Remote
    /// The identities of an entity's records.
    func identities(of entity: String) throws -> [Int]
    /// The records that a user may read, as a device lists them.
    func records(for user: String) throws -> [String]

    // MARK: What others do

    func write(_ write: FeedWrite) throws
    /// Begins a transaction, which is committed later: ``commitOldest()``.
    func begin(_ write: FeedWrite) throws
    /// Commits the oldest transaction that is open.
    /// - Returns: Whether there was one.
    @discardableResult
    func commitOldest() throws -> Bool
    func grant(_ list: Int, to user: String) throws
    func revoke(_ list: Int, from user: String) throws
    /// Forgets all deletions: cursors from before them are expired.
    func expireDeletions() throws
    /// Makes a backup.
    func save() throws
    /// Restores the last backup.
    func restore() throws
}

/// What others than the devices do in a transaction.
enum FeedWrite {
    case addList(Int, name: String)
    case addTask(Int, title: String, list: Int)
    case setTitle(String, task: Int)
    case move(task: Int, list: Int)
    case deleteTask(Int)
    case deleteList(Int)
}

/// What is different from server to server.
package struct FeedHabits {
    /// The maximum number of changes in a page.
    package let pageSize: Int
    /// Whether the response to a change contains the record, where the server can leave it out.
    package let respondsWithRecord: Bool
}
