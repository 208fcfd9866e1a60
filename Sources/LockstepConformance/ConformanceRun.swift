package import LockstepEvolution
import LockstepHTTP
import LockstepJSON
import LockstepRemotes

/// Runs all cases on a server, with records that it creates and deletes at the end.
package struct ConformanceRun: Sendable {
    private let stage: ConformanceStage
    private let report: ConformanceReport

    /// - Parameters:
    ///   - structure: The schema.
    ///   - entity: The entity whose records are created; `nil` for the first suitable one.
    ///   - dialect: The interface through which the server is tested.
    ///   - address: The address, as shown in the report.
    ///   - owner: The user who creates records.
    ///   - identity: The identity of this user, for attributes that hold it; `nil` if it is not known.
    ///   - other: A user who must not read them; `nil` if there is only one token.
    ///   - database: What `psql` accepts as a database; `nil` without access to it.
    /// - Throws: ``ConformanceFailure`` if no records of the entity can be created.
    package init(
        _ structure: SchemaStructure, entity: String?, dialect: ConformanceDialect, address: String, owner: ServerUser,
        identity: String?, other: ServerUser?, database: String?
    ) throws(ConformanceFailure) {
        let maker = SampleMaker(structure, user: identity)
        let subject = try maker.subject(entity)
        stage = ConformanceStage(subject, maker: maker, owner: owner, other: other, database: database)
        report = ConformanceReport(address: address, dialect: dialect.name, entity: subject.entity.name)
    }

    /// Runs all cases, and deletes the created records, also after a failure and if the task is cancelled.
    ///
    /// If the server cannot be reached any more, or does not accept the token any more, the rest is not asked.
    ///
    /// - Parameters:
    ///   - begin: Called before records are deleted, with their count.
    ///   - leave: Called with the records that could not be deleted, if there is no report.
    /// - Throws: ``ConformanceFailure`` and `SyncError` if the server cannot be tested, `CancellationError`.
    package func report(
        begin: @escaping @Sendable (Int) -> Void, leave: @Sendable ([String]) -> Void
    ) async throws -> ConformanceReport {
        do {
            var report = try await asked()
            report.remaining = await delete(begin)
            return report
        } catch {
            leave(await delete(begin))
            throw error
        }
    }

    /// In a separate task, so that it is completed even if this one is cancelled.
    private func delete(_ begin: @escaping @Sendable (Int) -> Void) async -> [String] {
        await Task { await stage.created.delete(begin: begin) }.value
    }

    private func asked() async throws -> ConformanceReport {
        var (stage, report) = (stage, report)
        _ = try await stage.furnish()
        // An entity of which no record can be created is reported before the first request.
        _ = try stage.record()
        var passed: Set<String> = []
        var end: String?
        for question in ConformanceCase.all {
            let failed = question.needs.first { name in
                !passed.contains(name) && report.cases.contains { $0.name == name && $0.outcome != .notAsked }
            }
            let (outcome, seen): (ConformanceReport.Outcome, String)
            if let end {
                (outcome, seen) = (.notAsked, "the run ended with “\(end)”")
            } else if let failed {
                (outcome, seen) = (.notAsked, "it needs “\(failed)”")
            } else {
                do { (outcome, seen) = try await answer(to: question, on: stage) } catch let error as SyncError {
                    if report.cases.isEmpty { throw error }
                    (outcome, seen) = (.interrupted, "\(error)")
                    end = question.name
                }
            }
            if outcome == .passed { passed.insert(question.name) }
            report.cases.append(
                ConformanceReport.Case(
                    name: question.name, question: question.question, outcome: outcome, seen: seen,
                    grade: question.grade, remedy: question.remedy))
        }
        return report
    }

    /// - Throws: `SyncError` if no other case can be run either, `CancellationError`.
    private func answer(
        to question: ConformanceCase, on stage: ConformanceStage
    ) async throws -> (ConformanceReport.Outcome, String) {
        do {
            switch try await question.ask(stage) {
            case .passed(let seen): return (.passed, seen)
            case .failed(let seen): return (.failed, seen)
            case .notAsked(let reason): return (.notAsked, reason)
            }
        } catch let error as SyncError {
            if error.endsConnection || error.code == .unauthorized { throw error }
            return (.interrupted, "\(error)")
        } catch let failure as ConformanceFailure {
            return (.interrupted, "\(failure)")
        } catch let error as JSONSyntaxError {
            return (.interrupted, "a response is not JSON: \(error)")
        }
    }
}
