import Foundation
import Synchronization

/// The wish of the user to end a command that runs until then.
enum Interruption {
    private static let isRequested = Atomic<Bool>(false)

    /// From now on, Control-C and SIGTERM end the command at its next pause, so that what it does is done as a whole. A
    /// second one ends it at once.
    static func observe() {
        // Before a signal can arrive: a handler must not initialize it.
        isRequested.store(false, ordering: .sequentiallyConsistent)
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] {
            sigaddset(&signals, number)
            signal(number) { number in
                Interruption.isRequested.store(true, ordering: .sequentiallyConsistent)
                signal(number, SIG_DFL)
            }
        }
        // A process that starts this one from a thread of a dispatch queue passes on that they are blocked.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Waits, unless the end is requested; `false` if it is.
    static func pause(milliseconds: UInt32) -> Bool {
        guard !isRequested.load(ordering: .sequentiallyConsistent) else { return false }
        // A signal ends it early.
        usleep(milliseconds * 1000)
        return !isRequested.load(ordering: .sequentiallyConsistent)
    }
}
