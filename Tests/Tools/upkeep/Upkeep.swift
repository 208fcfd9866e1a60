import Foundation

/// What works on the repository and must be built quickly: it uses none of the modules.
///
/// - `upkeep folder-arrows [MODULE…]` prints which folders of a module use which. The exit status is 1 if there is a
///   cycle.
/// - `upkeep shape [FOLDER…]` prints how large a folder's Swift is: code lines, functions, public declarations.
/// - `upkeep mutants COPY` adds the faults of `Tests/Mutants` to the sources of a copy of the package, and prints the
///   rule, the tests and the fault of each, separated by tabs.
/// - `upkeep random-schemas FOLDER` writes the random schemas anew from their seeds.
@main
struct Upkeep {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let rest = Array(arguments.dropFirst())
        switch arguments.first {
        case "folder-arrows": try printFolderArrows(of: rest)
        case "shape": try printShapes(of: rest.isEmpty ? ["Sources"] : rest)
        case "mutants" where rest.count == 1: try writeMutants(to: rest[0])
        case "random-schemas" where rest.count == 1: try writeRandomSchemas(to: URL(fileURLWithPath: rest[0]))
        default:
            let usage = "upkeep: folder-arrows [MODULE…], shape [FOLDER…], mutants COPY or random-schemas FOLDER\n"
            FileHandle.standardError.write(Data(usage.utf8))
            exit(64)
        }
    }

    private static func printFolderArrows(of modules: [String]) throws {
        let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let check = try FolderCheck(modules, of: package)
        FileHandle.standardOutput.write(Data(check.text.utf8))
        exit(check.modulesWithCycles.isEmpty ? 0 : 1)
    }

    private static func printShapes(of folders: [String]) throws {
        var text = "| folder | files | code lines | functions | two or more unlabelled, per 1,000 | public |\n"
        text += "| --- | ---: | ---: | ---: | ---: | ---: |\n"
        for folder in folders {
            let shape = try SourceShape(of: URL(fileURLWithPath: folder))
            let perThousand = 1_000 * shape.unlabelledFunctions.count / max(1, shape.functionCount)
            text += "| \(folder) | \(shape.fileCount) | \(shape.codeLineCount) | \(shape.functionCount) "
            text += "| \(perThousand) | \(shape.publicCount) |\n"
        }
        FileHandle.standardOutput.write(Data(text.utf8))
    }

    private static func writeMutants(to copy: String) throws {
        let package = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
        let mutants = try Mutant.all(of: package)
        try mutants.write(package: package, to: URL(fileURLWithPath: copy))
        let tests = try RuleTests(below: package.appendingPathComponent("Tests/Suites"))
        for mutant in mutants {
            // The shell joins separators that follow each other.
            let filter = tests.filter(of: mutant.rule)
            let line = "\(mutant.rule)\t\(filter.isEmpty ? "none" : filter)\t\(mutant.fault)\n"
            FileHandle.standardOutput.write(Data(line.utf8))
        }
    }

    private static func writeRandomSchemas(to folder: URL) throws {
        for schema in RandomSchema.committed() {
            let file = folder.appendingPathComponent("\(schema.name).lockstep.yaml")
            try Data(schema.text.utf8).write(to: file, options: .atomic)
        }
    }
}
