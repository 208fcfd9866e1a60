import Foundation
import SwiftData

/// A journey with its ports.
@Model
final class Voyage {
    #Unique<Voyage>([\.title, \.departure])
    #Index<Voyage>([\.departure], [\.departure, \.title])

    var id: UUID = UUID()
    @Attribute(originalName: "name") var title: String
    var departure: Date = Date.now
    var arrival: Date?
    var rating = 3
    var budget: Decimal = 0
    var isFavorite = false
    var website: URL?
    var tags: [String] = []
    var colors: Set<String> = []
    var weather: Weather = Weather.calm
    var moodRaw: String = "happy"
    var means: [Means] = [.ship]
    var origin: Place?
    var waypoints: [Place] = []
    var extras: [String: Double] = [:]
    @Attribute(.externalStorage) var cover: Data?
    @Attribute(.transformable(by: ColorTransformer.self)) var tint: PlatformColor?
    @Attribute(.spotlight) var summary: String = ""
    @Transient var isSelected = false
    var plan: Budget? = Budget.standard
    @Logged var viewCount: Int = 0

    @Relationship(deleteRule: .cascade, inverse: \Harbor.voyage)
    var harbors: [Harbor]? = []
    @Relationship(deleteRule: .deny, maximumModelCount: 4)
    var crew: [Sailor]
    var captain: Sailor?

    /// The mood is stored as its raw value, so that predicates can use it.
    var mood: Mood {
        get { Mood(rawValue: moodRaw) ?? .happy }
        set { moodRaw = newValue.rawValue }
    }

    var isOver: Bool { (arrival ?? .distantFuture) < .now }

    init(title: String, summary: String = "") {
        self.title = title
        self.summary = summary
    }

    func cancel() { arrival = nil }

    enum Mood: String, Codable, CaseIterable {
        case happy, tired
        case seaSick = "sea-sick"
    }
}

extension Voyage {
    var nights: Int { Calendar.current.dateComponents([.day], from: departure, to: arrival ?? departure).day ?? 0 }

    static let preview = Voyage(title: "Preview")
}
