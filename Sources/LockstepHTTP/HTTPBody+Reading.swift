package import Foundation

extension HTTPBody {
    /// As much of it as there is, and at most `limit` bytes: what a server says about a refusal, which is shown and
    /// kept, and is not worth more. Where the connection breaks, what came until then.
    package func beginning(upTo limit: Int) async throws -> Data {
        var data = Data()
        do {
            for try await piece in self {
                data.append(piece.prefix(limit - data.count))
                if data.count >= limit { break }
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            // The status is known, and says what matters.
        }
        return data
    }
}
