import Foundation

/// The wish of the user to end a command that runs until then.
enum Interruption {
    /// Set by a handler of signals, which may do no more than that (`sig_atomic_t`, C11 7.14.1.1).
    private nonisolated(unsafe) static var isRequested: sig_atomic_t = 0

    /// From now on, Control-C and SIGTERM end the command at its next pause, so that what it does is done as a whole. A
    /// second one ends it at once.
    static func observe() {
        // Before a signal can arrive: a handler must not initialize it.
        isRequested = 0
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in [SIGINT, SIGTERM] {
            sigaddset(&signals, number)
            signal(number) { number in
                Interruption.isRequested = 1
                signal(number, SIG_DFL)
            }
        }
        // A process that starts this one from a thread of a dispatch queue passes on that they are blocked.
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Waits, unless the end is requested; `false` if it is.
    static func pause(milliseconds: UInt32) -> Bool {
        guard isRequested == 0 else { return false }
        // A signal ends it early.
        usleep(milliseconds * 1000)
        return isRequested == 0
    }
}
