import LockstepGenerator
import LockstepSchema

#if Import
    import LockstepImport
#endif

/// The existing tables that become a server.
struct AdoptionReport {
    /// The path of the database's description.
    let path: String

    /// Compares the tables with the schemas, and reports the differences.
    ///
    /// - Parameter isDryRun: Whether to report what the SQL would change.
    func check(_ schemas: [Schema], isDryRun: Bool) throws {
        #if Import
            let catalogue: PostgreSQLCatalogue
            do { catalogue = try PostgreSQLCatalogue(ImportInput(path: path)) } catch {
                throw UsageFailure(message: "\(error) Nothing was written.")
            }
            var isFitting = true
            for schema in schemas {
                let adoption = Adoption(of: catalogue, for: schema, server: serverSQL(for: schema) ?? [])
                for misfit in adoption.misfits { Console.report("\(path): error: \(misfit.description)") }
                isFitting = isFitting && adoption.misfits.isEmpty
                guard isDryRun, adoption.misfits.isEmpty else { continue }
                Console.print("The tables in \(path) fit \(schema.name). Its file of the server:")
                for line in adoption.changes { Console.print("  \(line)") }
            }
            if !isFitting {
                Console.report("Nothing was written.")
                throw Exit.findings
            }
        #else
            throw UsageFailure.missing("importers", trait: "Import", command: "generate")
        #endif
    }
}
