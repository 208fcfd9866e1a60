import Foundation
import LockstepHTTP
import Testing

@testable import LockstepSync

/// The table of what happens next while a record's changes are sent: events on the left, effects on the right.
@Suite("How one change is sent, step by step")
struct PushAttemptTests {
    typealias Facts = PushAttempt.Facts

    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let events: @Sendable () -> [PushAttempt.Event]
        let effects: [String]

        init(_ name: String, _ effects: [String], events: @escaping @Sendable () -> [PushAttempt.Event]) {
            (testDescription, self.events, self.effects) = (name, events, effects)
        }
    }

    private static func version(_ number: Int64) -> OutgoingChange.VersionAttribute {
        OutgoingChange.VersionAttribute(path: ["version"], value: .integer(number))
    }

    static let rows = [
        Row("Nothing is pending", ["done nothing"]) { [.read(nil)] },
        Row("P4 An undone change is settled", ["settle nothing"]) { [.read(Facts(isEmpty: true))] },
        Row("P5 A change is sent and confirmed", ["send", "confirm", "done update"]) {
            [.read(Facts()), .decided(.confirm(body: nil, version: nil, identity: nil)), .confirmed]
        },
        Row(
            "P10 A record that is deleted while its creation is sent is deleted next",
            [
                "send", "confirm", "read", "send", "confirm", "done delete",
            ]
        ) {
            [
                .read(Facts(kind: .create, isDeletedMeanwhile: true)),
                .decided(.confirm(body: nil, version: nil, identity: nil)), .confirmed,
                .read(Facts(kind: .delete)), .decided(.confirm(body: nil, version: nil, identity: nil)), .confirmed,
            ]
        },
        Row(
            "P10 If nothing is left after the creation, the creation counts",
            ["send", "confirm", "read", "done create"]
        ) {
            [
                .read(Facts(kind: .create, isDeletedMeanwhile: true)),
                .decided(.confirm(body: nil, version: nil, identity: nil)), .confirmed, .read(nil),
            ]
        },
        Row("P2 A creation without a required link is parked with the reason", ["park 0"]) {
            [.read(Facts(kind: .create, unsentReason: "the server does not know the record"))]
        },
        Row("V8 What the schema no longer sends is held", ["hold"]) { [.read(Facts(heldReason: "write:"))] },
        Row("P3 An undone change that the schema no longer sends is settled", ["settle nothing"]) {
            [.read(Facts(heldReason: "write:", isEmpty: true))]
        },
        Row("P8 A record that no JSON can be made of is parked", ["park unread"]) { [.unwritable("NaN")] },
        Row(
            "R10.13 Records that the server has lost with their owner are created again first",
            ["release", "read", "send"]
        ) {
            [.read(Facts(hasLost: true, mustAsk: true)), .changed, .read(Facts())]
        },
        Row("C4.3 What must be known is requested once", ["ask", "read, asked", "send"]) {
            [.read(Facts(mustAsk: true)), .changed, .read(Facts(mustAsk: true))]
        },
        Row("C4.11 If it cannot be requested, the change is sent without", ["ask", "send"]) {
            [.read(Facts(mustAsk: true)), .isKnown]
        },
        Row(
            "V11 Unknown members are requested after what must be known",
            ["ask", "learn", "read, asked, learned", "send"]
        ) {
            [
                .read(Facts(mustAsk: true, replacesUnknown: true)), .isKnown, .changed,
                .read(Facts(mustAsk: true, replacesUnknown: true)),
            ]
        },
        Row(
            "V11 After a conflict, unknown members are requested again",
            [
                "learn", "read, learned", "send", "merge", "read", "learn",
            ]
        ) {
            [
                .read(Facts(replacesUnknown: true, version: "1")), .changed,
                .read(Facts(replacesUnknown: true, version: "1")),
                .decided(.mergeAndSendAgain(current: nil, version: "2")), .changed,
                .read(Facts(replacesUnknown: true, version: "2")),
            ]
        },
        Row("C4.2 After a rejected version, the change is sent against the new one", ["send", "merge", "read", "send"])
        {
            [
                .read(Facts(version: "1")), .decided(.mergeAndSendAgain(current: nil, version: "2")), .changed,
                .read(Facts(version: "2")),
            ]
        },
        Row(
            "C4.8 If the server rejects the ETag that it still has, the change is parked",
            [
                "send", "merge", "read", "send", "park 412",
            ]
        ) {
            [
                .read(Facts(version: "1")), .decided(.mergeAndSendAgain(current: nil, version: nil)), .changed,
                .read(Facts(version: "1")), .decided(.mergeAndSendAgain(current: nil, version: nil)),
            ]
        },
        Row(
            "C4.2 A rejection of a change without a version is merged each time",
            [
                "send", "merge", "read", "send", "merge",
            ]
        ) {
            [
                .read(Facts()), .decided(.mergeAndSendAgain(current: nil, version: nil)), .changed,
                .read(Facts()), .decided(.mergeAndSendAgain(current: nil, version: nil)),
            ]
        },
        Row(
            "C4.8 If the server rejects the version attribute that it still has, the change is parked",
            [
                "send", "merge", "read", "send", "park 409",
            ]
        ) {
            [
                .read(Facts(versionAttribute: version(1))), .decided(.stale(status: 409, body: Data())), .changed,
                .read(Facts(versionAttribute: version(1))), .decided(.stale(status: 409, body: Data())),
            ]
        },
        Row(
            "C4.6 With another version attribute, the change is sent again",
            [
                "send", "merge", "read", "send", "merge", "read", "send", "confirm",
            ]
        ) {
            [
                .read(Facts(versionAttribute: version(1))), .decided(.stale(status: 409, body: Data())), .changed,
                .read(Facts(versionAttribute: version(2))), .decided(.stale(status: 409, body: Data())), .changed,
                .read(Facts(versionAttribute: version(3))),
                .decided(.confirm(body: nil, version: nil, identity: nil)),
            ]
        },
        Row(
            "C3 A record that the server no longer has is deleted, or created again", ["send", "take deletion", "read"]
        ) {
            [.read(Facts()), .decided(.goneThere), .changed]
        },
        Row(
            "R10.16 404 to an update that names embedded records asks for their owner, and parks it the next time",
            [
                "send", "ask for owner", "read", "send", "park 404",
            ]
        ) {
            [
                .read(Facts(namesMembers: true)), .decided(.goneThere), .changed,
                .read(Facts(namesMembers: true)), .decided(.goneThere),
            ]
        },
        Row("P10.5 A creation that has not arrived is sent again as a new one", ["send", "requeue", "read", "send"]) {
            [.read(Facts(kind: .create)), .decided(.sendAgain), .changed, .read(Facts(kind: .create))]
        },
        Row("P8 A rejected change is parked", ["send", "park 422"]) {
            [.read(Facts()), .decided(.park(status: 422, body: Data()))]
        },
        Row("P21 A change that has changed nothing is parked", ["send", "confirm", "is parked"]) {
            [.read(Facts()), .decided(.confirm(body: nil, version: nil, identity: nil)), .unapplied(isParked: true)]
        },
        Row("P8 One that was edited before the response came is sent as it is now", ["send", "confirm", "read"]) {
            [.read(Facts()), .decided(.confirm(body: nil, version: nil, identity: nil)), .unapplied(isParked: false)]
        },
        Row("P7.6 A failure delays the change", ["send", "later 500"]) {
            [.read(Facts()), .decided(.later(delaySeconds: 1, status: 500))]
        },
        Row("P13 A response that proves nothing delays it", ["send", "unproven"]) {
            [.read(Facts()), .decided(.unproven(delaySeconds: 1, status: nil, "a page"))]
        },
        Row("P7.3 The server's pause stops everything", ["send", "pause 429"]) {
            [.read(Facts()), .decided(.pause(delaySeconds: 1, status: 429))]
        },
        Row("P7.2 An error while it asks means for the change what it means while it sends", ["ask", "fail"]) {
            [.read(Facts(mustAsk: true)), .failed(SyncError(.network, reason: "offline", remedy: "wait"))]
        },
    ]

    @Test("Each event leads to the next effect", arguments: rows)
    func table(row: Row) {
        var attempt = PushAttempt()
        #expect(row.events().map { Self.name(of: attempt.next($0)) } == row.effects)
    }

    @Test("C4.2 A record that the server changes each time waits after eight attempts")
    func limit() {
        var attempt = PushAttempt()
        var effects: [String] = []
        for number in 1...9 where effects.last?.hasPrefix("give up") != true {
            let events: [PushAttempt.Event] = [
                .read(Facts(version: "\(number)")), .decided(.mergeAndSendAgain(current: nil, version: nil)), .changed,
            ]
            for event in events { effects.append(Self.name(of: attempt.next(event))) }
        }
        #expect(effects.filter { $0 == "send" }.count == 8)
        #expect(effects.last == "give up 412")
    }

    private static func name(of effect: PushAttempt.Effect) -> String {
        switch effect {
        case .read(let hasAsked, let hasLearned):
            "read" + (hasAsked ? ", asked" : "") + (hasLearned ? ", learned" : "")
        case .step(let step): name(of: step)
        case .end(let end): name(of: end)
        case .parkUnread: "park unread"
        case .done(let kind): "done \(kind.map { "\($0)" } ?? "nothing")"
        case .isParked: "is parked"
        case .giveUp(let status): "give up \(status.map(String.init) ?? "")"
        }
    }

    private static func name(of step: PushAttempt.Step) -> String {
        switch step {
        case .release: "release"
        case .ask: "ask"
        case .learn: "learn"
        case .send: "send"
        case .confirm: "confirm"
        case .askForOwner: "ask for owner"
        case .takeDeletion: "take deletion"
        case .merge: "merge"
        case .requeue: "requeue"
        }
    }

    private static func name(of end: PushAttempt.End) -> String {
        switch end {
        case .settle(let kind): "settle \(kind.map { "\($0)" } ?? "nothing")"
        case .hold: "hold"
        case .park(let status, _, _): "park \(status)"
        case .later(_, let status): "later \(status)"
        case .unproven: "unproven"
        case .pause(_, let status): "pause \(status)"
        case .fail: "fail"
        }
    }
}
