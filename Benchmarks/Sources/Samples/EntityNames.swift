/// Names for any number of entities, no two alike.
enum EntityNames {
    private static let subjects = [
        "Customer", "Order", "Invoice", "Product", "Project", "Patient", "Student", "Course", "Vehicle", "Building",
        "Room", "Device", "Sensor", "Network", "Employee", "Supplier", "Shipment", "Parcel", "Ticket", "Journal",
        "Recipe", "Garden", "Library", "Museum", "Theatre", "Concert", "Tournament", "Training", "Insurance", "Loan",
        "Garage", "Kitchen", "Hotel", "Flight", "Train", "Harbour", "Forest", "Farm", "Market", "Archive",
    ]
    private static let parts = [
        "Record", "Note", "Line", "Item", "Event", "Label", "Plan", "Report", "Request", "Account", "Section", "Image",
        "Document", "Message", "Setting", "Schedule", "Target", "Visit", "Comment", "Measurement", "Payment", "Probe",
        "Rating", "Contract", "Permit",
    ]

    /// `CustomerRecord`, `OrderRecord`, …, `CustomerNote`; with a number behind once all pairs are used.
    static func name(_ number: Int) -> String {
        let pairs = subjects.count * parts.count
        let round = number / pairs
        return subject(number) + part(number) + (round == 0 ? "" : String(round + 1))
    }

    static func documentation(_ number: Int) -> String {
        "The \(part(number).lowercased()) of every \(subject(number).lowercased()), as the office keeps it."
    }

    private static func subject(_ number: Int) -> String { subjects[number % subjects.count] }
    private static func part(_ number: Int) -> String { parts[number / subjects.count % parts.count] }
}
