/// A task that is cancelled when another one replaces it, or nobody needs it any more.
final class CancelledTask {
    var task: Task<Void, Never>? { didSet { oldValue?.cancel() } }

    init() {}

    deinit { task?.cancel() }
}
