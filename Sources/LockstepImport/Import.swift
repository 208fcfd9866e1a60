import Foundation
import LockstepSchema

/// Makes a schema of a file or a folder that it recognises by its name.
///
/// - Parameters:
///   - name: The name of the schema; `nil` for that of the file.
///   - hasVersions: Whether a history of all versions is made.
/// - Throws: ``ImportFailure`` if it cannot be read.
package func importSchema(at path: String, name: String?, hasVersions: Bool) throws(ImportFailure) -> ImportedSchema {
    let path = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    guard FileManager.default.fileExists(atPath: path) else {
        throw ImportFailure(path, "There is no such file. Check the path.")
    }
    guard CoreDataBundle.isModel(path) else {
        throw ImportFailure(
            path, "It is not recognised. Core Data models (.xcdatamodeld, .xcdatamodel) can be imported.")
    }
    let bundle = try CoreDataBundle(at: path)
    let own = ((path as NSString).lastPathComponent as NSString).deletingPathExtension
    let schema = UsableName.type(name ?? (own == "contents" ? bundle.current.name : own))
    let source = (path as NSString).lastPathComponent
    if hasVersions { return try CoreDataVersions(bundle, name: schema, source: source).run() }
    let (sketch, report, _) = try CoreDataImport.sketch(bundle.current, name: schema)
    return ImportedSchema(sketch, report, from: source)
}
