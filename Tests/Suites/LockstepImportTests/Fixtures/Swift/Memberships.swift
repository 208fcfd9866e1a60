import Foundation
import SwiftData
import SwiftSync

@Syncable
@Model
final class Club {
    @Attribute(.unique) var id: Int
    @RemoteKey("title") var clubName: String
    @RemotePath("profile.contact.email") var email: String?
    @NotExport var localOnly: String = ""
    @RemoteKey("emblem_ids") var emblems: [Emblem]
    var fellows: [Fellow] = []

    init(id: Int, clubName: String) { (self.id, self.clubName) = (id, clubName) }
}

@Syncable
@Model
final class Fellow {
    @PrimaryKey(remote: "external_id") @Attribute(.unique) var xid: String
    var joinedAt: Date?
    var club: Club?

    init(xid: String) { self.xid = xid }
}

@Model
final class Emblem: Codable {
    @Attribute(.unique) var id: Int
    var label: String
    var drawnAt: Date?

    enum CodingKeys: String, CodingKey {
        case id
        case label = "emblem_label"
    }

    init(id: Int, label: String) { (self.id, self.label) = (id, label) }
}
