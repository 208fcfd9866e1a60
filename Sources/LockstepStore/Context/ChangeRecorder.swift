import GRDB

/// Is told of every unsaved change, so that it can be taken back.
protocol ChangeRecorder: AnyObject {
    /// A column of an object had the value `old`; the object may have the new one already.
    func willChange(_ object: ManagedObject, _ column: Int, from old: DatabaseValue)
}
