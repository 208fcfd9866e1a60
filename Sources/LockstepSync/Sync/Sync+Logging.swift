#if Logging
    public import Logging

    extension Sync {
        /// Writes all diagnostics to a logger for as long as the sync exists: requests as `debug`, resolved conflicts
        /// as `info`, failed requests and retries as `notice`, skipped records and parked changes as `warning`.
        ///
        /// Messages contain no tokens and no values of records (``SyncDiagnostic/text``). This function requires the
        /// trait `Logging` of the package.
        ///
        /// ```swift
        /// sync.log(to: Logger(label: "app.sync"))
        /// ```
        ///
        /// - Parameter logger: The logger. Its log level determines what is written.
        public func log(to logger: Logger) {
            environment.diagnostics.observe { diagnostic in
                logger.log(
                    level: Logger.Level(diagnostic.level), "\(diagnostic.text)", metadata: diagnostic.metadata,
                    source: "Lockstep")
            }
        }
    }

    extension Logger.Level {
        fileprivate init(_ level: SyncDiagnostic.Level) {
            switch level {
            case .debug: self = .debug
            case .info: self = .info
            case .notice: self = .notice
            case .warning: self = .warning
            }
        }
    }

    extension SyncDiagnostic {
        /// The metadata by which a log can be filtered.
        fileprivate var metadata: Logger.Metadata {
            let (kind, entity): (String, String?) =
                switch event {
                case .request(let exchange): ("request", exchange.entity)
                case .retry(let entity, _, _, _): ("retry", entity)
                case .merge(let note): ("merge", note.entity)
                case .skipped(let record): ("skipped", record.entity)
                case .parked(let change): ("parked", change.entity)
                }
            var metadata: Logger.Metadata = ["event": "\(kind)"]
            if let entity { metadata["entity"] = "\(entity)" }
            return metadata
        }
    }
#endif
