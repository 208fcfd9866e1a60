// WidgetKit as far as the page with a widget uses it.
public import SwiftUI

@MainActor @preconcurrency public protocol Widget {
    associatedtype Body: WidgetConfiguration
    @MainActor @preconcurrency init()
    @MainActor @preconcurrency var body: Body { get }
}

@MainActor @preconcurrency public protocol WidgetConfiguration {}

public struct StaticConfiguration<Content: View>: WidgetConfiguration {
    public init<Provider: TimelineProvider>(
        kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) {}
}

public protocol TimelineEntry {
    var date: Date { get }
}

public protocol TimelineProvider {
    associatedtype Entry: TimelineEntry
    typealias Context = TimelineProviderContext
    func placeholder(in context: Context) -> Entry
    @preconcurrency func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
    @preconcurrency func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}

public struct TimelineProviderContext {
    public let isPreview: Bool
}

public struct Timeline<EntryType: TimelineEntry> {
    public init(entries: [EntryType], policy: TimelineReloadPolicy) {}
}

public struct TimelineReloadPolicy: Equatable, Sendable {
    public static let (atEnd, never) = (TimelineReloadPolicy(), TimelineReloadPolicy())
    public static func after(_ date: Date) -> TimelineReloadPolicy { never }
}

public final class WidgetCenter: Sendable {
    public static let shared = WidgetCenter()
    public func reloadAllTimelines() {}
}
