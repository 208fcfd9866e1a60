public import Foundation
public import LockstepStore
import LockstepSystem

extension Store {
    /// Merges a server's JSON from a string. It otherwise behaves like the method that takes `Data`.
    @discardableResult
    public func merge<Object: Model>(
        _ json: String, into type: Object.Type, scope: MergeScope<Object> = .all, options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        try await merge(.text(json), into: type, scope: scope, options: options)
    }

    /// Merges a server's JSON from a file, without reading the whole file into memory.
    ///
    /// - Throws: The same errors as the method that takes `Data`; `MergeError` if the file does not exist or cannot be
    ///   read.
    @discardableResult
    public func merge<Object: Model>(
        contentsOf file: URL, into type: Object.Type, scope: MergeScope<Object> = .all,
        options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary {
        let body: PayloadBody
        do { body = .file(try OpenFile(reading: file)) } catch {
            throw MergeError.payload(error, of: type.entity.name)
        }
        return try await merge(body, into: type, scope: scope, options: options)
    }

    /// Merges a server's JSON that is received in pieces of any size.
    ///
    /// The whole body is gathered before the store is written to, so that no transaction waits for the network: up to 4
    /// MB in memory, and beyond that in a private temporary file. The memory used does not depend on the size of the
    /// body.
    ///
    /// ```swift
    /// let summary = try await store.merge(pieces: response.body, into: Entry.self)
    /// ```
    ///
    /// - Throws: The same errors as the method that takes `Data`; the errors of the sequence; `MergeError` if there is
    ///   not enough disk space.
    @discardableResult
    public func merge<Object: Model, Pieces: AsyncSequence>(
        pieces: sending Pieces, into type: Object.Type, scope: MergeScope<Object> = .all,
        options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary where Pieces.Element: Collection<UInt8> {
        let body: PayloadBody
        do { body = try await PayloadSpool.gather(pieces) } catch {
            throw MergeError.payload(error, of: type.entity.name)
        }
        return try await merge(body, into: type, scope: scope, options: options)
    }

    /// Merges a server's JSON that is received byte by byte, as from `URLSession.bytes(for:)`. It otherwise behaves
    /// like the method that takes pieces.
    @discardableResult
    public func merge<Object: Model, Bytes: AsyncSequence>(
        pieces bytes: sending Bytes, into type: Object.Type, scope: MergeScope<Object> = .all,
        options: MergeOptions = MergeOptions()
    ) async throws -> MergeSummary where Bytes.Element == UInt8 {
        let body: PayloadBody
        do { body = try await PayloadSpool.gather(bytes) } catch {
            throw MergeError.payload(error, of: type.entity.name)
        }
        return try await merge(body, into: type, scope: scope, options: options)
    }

    /// Merges a payload from any source.
    func merge<Object: Model>(
        _ body: PayloadBody, into type: Object.Type, scope: MergeScope<Object>, options: MergeOptions
    ) async throws -> MergeSummary {
        let reports: MergeProgressReports?
        do { reports = MergeProgressReports(byteCount: try body.byteCount(), options.progress) } catch {
            throw MergeError.payload(error, of: type.entity.name)
        }
        // What is not JSON changes nothing, so a payload of pieces is read before.
        var passedOver = options.isPiecewise ? try repetitions(of: body, as: type, options: options) : 0
        let summary: MergeSummary
        do {
            summary = try await merge(
                body, passingOver: passedOver, into: type, scope: scope, options: options, reports: reports)
        } catch is PayloadReader.RepeatedKey {
            // The values under an earlier occurrence of the key are rolled back: only the last one counts.
            passedOver = try repetitions(of: body, as: type, options: options)
            summary = try await merge(
                body, passingOver: passedOver, into: type, scope: scope, options: options, reports: reports)
        }
        reports?.reportCompletion()
        return summary.remarkingOnShape(of: type)
    }

    /// The number of occurrences of a wrapper's key before the last one, which counts. Reads the whole payload.
    private func repetitions<Object: Model>(
        of body: PayloadBody, as type: Object.Type, options: MergeOptions
    ) throws -> Int {
        let watch = PayloadWatch(MergeCancellation { try Task.checkCancellation() })
        do {
            return try body.repetitions(in: options.payload, windowSize: options.windowByteCount, watch: watch)
        } catch { throw MergeError.payload(error, of: type.entity.name) }
    }

    private func merge<Object: Model>(
        _ body: PayloadBody, passingOver passedOver: Int, into type: Object.Type, scope: MergeScope<Object>,
        options: MergeOptions, reports: MergeProgressReports?
    ) async throws -> MergeSummary {
        let windowSize = min(options.windowByteCount, options.isPiecewise ? PieceSize.windowByteCount : .max)
        return try await mergingPieces(type, scope: scope, options: options, from: PayloadPosition()) {
            run, cancellation, position, count in
            let watch = PayloadWatch(cancellation, reports: reports, recordsMerged: position.recordCount)
            let intake = PayloadIntake(run, watch: watch, from: position, count: count)
            return try body.read(
                options.payload, from: position, passingOver: passedOver, windowSize: windowSize, into: intake,
                watch: watch)
        }
    }

    /// Merges the pages of one collection as a single payload.
    package func merge<Object: Model>(
        _ pages: [(body: PayloadBody, shape: PayloadShape)], into type: Object.Type, scope: MergeScope<Object>,
        options: MergeOptions
    ) async throws -> MergeSummary {
        if pages.count == 1 {
            var options = options
            options.payload = pages[0].shape
            return try await merge(pages[0].body, into: type, scope: scope, options: options)
        }
        return try await merging(type, scope: scope, options: options) { run, cancellation in
            let watch = PayloadWatch(cancellation)
            let (intake, windowSize) = (PayloadIntake(run, watch: watch), options.windowByteCount)
            for page in pages {
                var repetitions = 0
                // If a wrapper has its key twice, only the last occurrence counts.
                if case .wrapped = page.shape {
                    repetitions = try page.body.repetitions(in: page.shape, windowSize: windowSize, watch: watch)
                }
                try page.body.read(
                    page.shape, passingOver: repetitions, windowSize: windowSize, into: intake, watch: watch)
                intake.pageEnds()
            }
        }
    }
}
