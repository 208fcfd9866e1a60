import Dispatch
import Foundation
import LockstepSystem

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The session of all ``URLSessionClient``s. It keeps connections, but no responses, cookies or credentials, so clients
/// share nothing but the connections to a host.
///
/// There is one for the whole process, which is never invalidated. On Linux, releasing a session with connections
/// crashes (swift-corelibs-foundation issues 4791 and 5203: `_MultiHandle deallocated with non-zero retain count`), and
/// a session for every client would keep its connections until it is invalidated.
final class HTTPSession: NSObject, URLSessionDataDelegate, Sendable {
    static let shared = HTTPSession()

    /// More than necessary, since a stream of events occupies a connection for as long as it is open. Callers limit the
    /// number of simultaneous requests themselves.
    static let maximumConnectionsPerHost = 256
    /// The session's own timeout; ours (``HTTPTimeouts``) is reached first. On Linux, the session only supports whole
    /// seconds.
    static let requestTimeoutSeconds = 7.0 * 24 * 3600

    private let exchanges = Locked<[Int: HTTPExchange]>([:])
    private let session = Locked<URLSession?>(nil)

    /// The number of current requests.
    var exchangeCount: Int { exchanges.withLock(\.count) }

    /// Sends a request, and passes its events to the exchange.
    func start(_ request: URLRequest, for exchange: HTTPExchange) {
        exchange.startWatch()
        Self.call { [self] in
            let task = urlSession().dataTask(with: request)
            exchanges.withLock { $0[task.taskIdentifier] = exchange }
            exchange.start(task)
        }
    }

    /// Calls the session.
    ///
    /// On Linux, each call waits for its turn on the thread that receives for all sessions of the process; if a server
    /// sends faster than that thread can decompress, until the server stops
    /// (`URLSession._MultiHandle.updateTimeoutTimer` enqueues the next read before others get their turn). No thread of
    /// Swift's pool may block that long, nor one of the global queue, which has only as many as there are cores.
    static func call(_ body: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
            calls.async(execute: body)
        #else
            body()
        #endif
    }

    #if canImport(FoundationNetworking)
        private static let calls = DispatchQueue(label: "lockstep.http.calls")
    #endif

    private func urlSession() -> URLSession {
        session.withLock { session in
            if let session { return session }
            #if canImport(FoundationNetworking)
                let queue: OperationQueue? = DeliveryQueue()
            #else
                let queue: OperationQueue? = nil
            #endif
            let made = URLSession(configuration: Self.configuration(), delegate: self, delegateQueue: queue)
            session = made
            return made
        }
    }

    private static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCredentialStorage = nil
        configuration.httpMaximumConnectionsPerHost = maximumConnectionsPerHost
        configuration.timeoutIntervalForRequest = requestTimeoutSeconds
        return configuration
    }

    private func exchange(of task: URLSessionTask) -> HTTPExchange? {
        exchanges.withLock { $0[task.taskIdentifier] }
    }

    // MARK: URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse { exchange(of: dataTask)?.received(response) }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(of: dataTask)?.received(data)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didSendBodyData bytesSent: Int64, totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        exchange(of: task)?.sent()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        // On Linux, a redirect without a valid Location is not reported as a response, but the task has it.
        exchange?.completed(task.response as? HTTPURLResponse, error: error)
    }

    /// Redirects are reported as responses; the client follows them.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // On Linux, it is a fatal error to respond after the task was cancelled. Nothing waits for the response
            // then.
            exchange(of: task)?.respond { completionHandler(nil) }
        #else
            completionHandler(nil)
        #endif
    }

    /// Credentials are handled by the client: an authentication challenge is reported as a response with the status
    /// 401.
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // On Linux, the challenge arrives when the response is complete. Any reply to it cancels the task, and
            // without one it never ends (swift-corelibs-foundation issue 5456).
            exchange(of: task)?.completed(challenge.failureResponse as? HTTPURLResponse, error: nil)
            // This is called on the thread that receives (``DeliveryQueue``), which cannot wait for itself.
            Self.call { completionHandler(.cancelAuthenticationChallenge, nil) }
        #else
            let isForServer = [
                NSURLAuthenticationMethodServerTrust, NSURLAuthenticationMethodClientCertificate,
            ].contains(challenge.protectionSpace.authenticationMethod)
            completionHandler(isForServer ? .performDefaultHandling : .rejectProtectionSpace, nil)
        #endif
    }
}
