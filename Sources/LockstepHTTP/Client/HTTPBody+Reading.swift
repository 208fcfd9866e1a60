package import Foundation

extension HTTPBody {
    /// The beginning of the body, with at most `limit` bytes, for the text of a rejection, which is shown and stored.
    /// If the connection is lost, the bytes that were received before.
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
            // The status is known, and is sufficient.
        }
        return data
    }
}
