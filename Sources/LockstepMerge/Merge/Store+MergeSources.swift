public import Foundation
public import LockstepStore
import LockstepSystem

extension Store {
    /// Merges a server's JSON that is a string. As the one for `Data`, in all else.
    @discardableResult
    public func merge<Object: Model>(
        _ json: String, into type: Object.Type, scope: MergeScope<Object> = .all, options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await merge(.text(json), into: type, scope, options)
    }

    /// Merges a server's JSON that is in a file, without having all of it in memory.
    ///
    /// - Throws: As the one for `Data`; `MergeError` where the file cannot be read, or is none.
    @discardableResult
    public func merge<Object: Model>(
        contentsOf file: URL, into type: Object.Type, scope: MergeScope<Object> = .all,
        options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        let body: PayloadBody
        do { body = .file(try OpenFile(reading: file)) } catch {
            throw MergeError.payload(error, type.entity.name)
        }
        return try await merge(body, into: type, scope, options)
    }

    /// Merges a server's JSON that arrives in pieces, which may end anywhere.
    ///
    /// All of it is gathered before the store is written to, so that nothing waits for the network: up to 4 MB in
    /// memory, beyond that in a temporary file that nobody else can open. Memory does not grow with the size of the
    /// body.
    ///
    /// ```swift
    /// let summary = try await store.merge(pieces: response.body, into: Entry.self)
    /// ```
    ///
    /// - Throws: As the one for `Data`; what the sequence throws; `MergeError` where there is no room for the file.
    @discardableResult
    public func merge<Object: Model, Pieces: AsyncSequence>(
        pieces: sending Pieces, into type: Object.Type, scope: MergeScope<Object> = .all,
        options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary where Pieces.Element: Collection<UInt8> {
        let body: PayloadBody
        do { body = try await PayloadSpool.gather(pieces) } catch {
            throw MergeError.payload(error, type.entity.name)
        }
        return try await merge(body, into: type, scope, options)
    }

    /// Merges a server's JSON that arrives byte by byte, as from `URLSession.bytes(for:)`. As the one for pieces.
    @discardableResult
    public func merge<Object: Model, Bytes: AsyncSequence>(
        pieces bytes: sending Bytes, into type: Object.Type, scope: MergeScope<Object> = .all,
        options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary where Bytes.Element == UInt8 {
        let body: PayloadBody
        do { body = try await PayloadSpool.gather(bytes) } catch {
            throw MergeError.payload(error, type.entity.name)
        }
        return try await merge(body, into: type, scope, options)
    }

    /// Merges a payload, wherever its bytes are.
    func merge<Object: Model>(
        _ body: PayloadBody, into type: Object.Type, _ scope: MergeScope<Object>, _ options: MergeOptions
    ) async throws -> MergeSummary {
        let reports: MergeReports?
        do { reports = MergeReports(byteCount: try body.byteCount(), options.progress) } catch {
            throw MergeError.payload(error, type.entity.name)
        }
        let summary: MergeSummary
        do {
            summary = try await merging(type, scope, options) { run, cancellation in
                let watch = PayloadWatch(cancellation, reports)
                let intake = PayloadIntake(run, watch)
                _ = try body.read(options.payload, windowSize: options.windowByteCount, into: intake, watch)
            }
        } catch is PayloadReader.RepeatedKey {
            // What the first values under the key brought is rolled back: only the last counts.
            summary = try await merging(type, scope, options) { run, cancellation in
                let watch = PayloadWatch(cancellation, reports)
                let windowSize = options.windowByteCount
                let repetitions = try body.repetitions(
                    in: options.payload, windowSize: windowSize, PayloadWatch(cancellation))
                let intake = PayloadIntake(run, watch)
                _ = try body.read(
                    options.payload, passingOver: repetitions, windowSize: windowSize, into: intake, watch)
            }
        }
        reports?.tellCompletion()
        return summary.remarkingOnShape(of: type)
    }

    /// Merges the pages of one collection as one payload.
    package func merge<Object: Model>(
        _ pages: [(body: PayloadBody, shape: PayloadShape)], into type: Object.Type, _ scope: MergeScope<Object>,
        _ options: MergeOptions
    ) async throws -> MergeSummary {
        if pages.count == 1 {
            var options = options
            options.payload = pages[0].shape
            return try await merge(pages[0].body, into: type, scope, options)
        }
        return try await merging(type, scope, options) { run, cancellation in
            let watch = PayloadWatch(cancellation)
            let (intake, windowSize) = (PayloadIntake(run, watch), options.windowByteCount)
            for page in pages {
                var repetitions = 0
                // Where a wrapper has its key twice, only the last counts.
                if case .wrapped = page.shape {
                    repetitions = try page.body.repetitions(in: page.shape, windowSize: windowSize, watch)
                }
                _ = try page.body.read(
                    page.shape, passingOver: repetitions, windowSize: windowSize, into: intake, watch)
                intake.pageEnds()
            }
        }
    }
}
