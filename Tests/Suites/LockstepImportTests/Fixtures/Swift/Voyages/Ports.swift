import Foundation
import SwiftData

@Model class Harbor {
    @Attribute(.unique) var code: String
    var place: Place?
    var voyage: Voyage?
    var depth: Float = -1.5
    var notes: Optional<String> = nil
    #if os(iOS)
        var checkedIn: Date?
    #endif

    init(code: String) { self.code = code }
}

@Model public final class Sailor {
    public var name: String = ""
    public var rank: Rank = Rank.mate
    public var duty: Duty?
    public var voyages: [Voyage] = []
    public var mentor: Sailor?

    public init(name: String = "Anonymous") { self.name = name }
}

struct Place: Codable, Hashable {
    var latitude: Double
    var longitude: Double
}

enum Weather: Int, Codable { case calm, windy, stormy = 9 }

enum Rank: Codable { case mate, officer }

enum Duty: Codable { case watch(hours: Int), rest }

enum Means: String, Codable { case ship, train }
