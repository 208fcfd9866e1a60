import Foundation
import HTTPTypes
import LockstepStore
import LockstepSync

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The least that speaks HTTP over a socket: what the fakes are tested with, and nothing of the library's own client.
final class PlainClient: NSObject, HTTPClient, URLSessionDataDelegate {
    private struct Exchange {
        var response: CheckedContinuation<HTTPAnswer, any Error>?
        let pieces: AsyncThrowingStream<Data, any Error>.Continuation
        let body: HTTPBody
    }

    private let exchanges = Locked<[Int: Exchange]>([:])

    func send(_ request: HTTPRequest, body: Data?) async throws -> HTTPAnswer {
        var parts = URLComponents()
        parts.scheme = request.scheme
        let origin = "\(request.scheme ?? "http")://\(request.authority ?? "")"
        guard let url = URL(string: origin + (request.path ?? "/")) else { throw URLError(.badURL) }
        var message = URLRequest(url: url)
        message.httpMethod = request.method.rawValue
        for field in request.headerFields { message.setValue(field.value, forHTTPHeaderField: field.name.rawName) }
        message.httpBody = body
        let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let task = session.dataTask(with: message)
        let key = ObjectIdentifier(task).hashValue
        return try await withCheckedThrowingContinuation { continuation in
            let (pieces, source) = AsyncThrowingStream<Data, any Error>.makeStream()
            source.onTermination = { _ in task.cancel() }
            exchanges.withLock { $0[key] = Exchange(response: continuation, pieces: source, body: HTTPBody(pieces)) }
            task.resume()
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let key = ObjectIdentifier(dataTask).hashValue
        let exchange = exchanges.withLock { exchanges in
            defer { exchanges[key]?.response = nil }
            return exchanges[key]
        }
        var headers: HTTPFields = [:]
        let message = response as? HTTPURLResponse
        for (name, value) in message?.allHeaderFields ?? [:] {
            guard let name = HTTPField.Name("\(name)") else { continue }
            headers[name] = "\(value)"
        }
        if let exchange {
            let answer = HTTPResponse(status: .init(code: message?.statusCode ?? 0), headerFields: headers)
            exchange.response?.resume(returning: HTTPAnswer(answer, body: exchange.body))
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchanges.withLock { $0[ObjectIdentifier(dataTask).hashValue]?.pieces }?.yield(data)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let exchange = exchanges.withLock { $0.removeValue(forKey: ObjectIdentifier(task).hashValue) }
        if let error { exchange?.response?.resume(throwing: error) }
        exchange?.pieces.finish(throwing: error)
    }
}
