// The names of SwiftUI and WidgetKit that an app's file uses, declared as they are there.
@_exported import Foundation
@_exported import Observation

@MainActor @preconcurrency public protocol View {
    associatedtype Body: View
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
    public var body: Never { return fatalError() }
}

@resultBuilder public enum ViewBuilder {
    public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
}

public struct Text: View {
    public init(_ content: some StringProtocol) {}
    public var body: Never { return fatalError() }
}

public struct List<Content: View>: View {
    public init<Data: RandomAccessCollection>(_ data: Data, @ViewBuilder row: @escaping (Data.Element) -> Content)
    where Data.Element: Identifiable {}
    public var body: Never { return fatalError() }
}

public struct Table<Value: Identifiable, Rows, Columns>: View {
    public var body: Never { return fatalError() }
}

extension Table {
    public init<Data: RandomAccessCollection>(_ data: Data, @TableColumnBuilder<Value> columns: () -> Columns)
    where Rows == TableForEachContent<Data>, Data.Element == Value {}
}

public struct TableForEachContent<Data> {}

public struct TableColumn<RowValue: Identifiable> {
    public init(_ title: String, value: KeyPath<RowValue, String>) {}
}

@resultBuilder public enum TableColumnBuilder<RowValue: Identifiable> {
    public static func buildExpression(_ content: TableColumn<RowValue>) -> TableColumn<RowValue> { content }
    public static func buildBlock(_ content: TableColumn<RowValue>...) -> [TableColumn<RowValue>] { content }
}

@MainActor @preconcurrency open class UIView {
    public init() {}
}

@MainActor @preconcurrency public protocol UIViewRepresentable: View where Body == Never {
    associatedtype UIViewType: UIView
    associatedtype Coordinator = Void
    typealias Context = UIViewRepresentableContext<Self>
    func makeUIView(context: Self.Context) -> UIViewType
    func updateUIView(_ uiView: UIViewType, context: Self.Context)
    func makeCoordinator() -> Coordinator
}

extension UIViewRepresentable {
    public var body: Never { return fatalError() }
}

extension UIViewRepresentable where Coordinator == Void {
    public func makeCoordinator() {}
}

public struct UIViewRepresentableContext<Representable: UIViewRepresentable> {
    public let coordinator: Representable.Coordinator
}

@MainActor @preconcurrency public protocol ButtonStyle {
    associatedtype Body: View
    typealias Configuration = ButtonStyleConfiguration
    @ViewBuilder func makeBody(configuration: Configuration) -> Body
}

public struct ButtonStyleConfiguration {
    public let label: Text
}

@propertyWrapper public struct State<Value> {
    public var wrappedValue: Value
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
    public var projectedValue: Binding<Value> { fatalError() }
}

@propertyWrapper public struct Binding<Value> {
    public init(get: @escaping () -> Value) {}
    public var wrappedValue: Value { fatalError() }
}

@propertyWrapper public struct ObservedObject<Object> {
    public var wrappedValue: Object
    public init(wrappedValue: Object) { self.wrappedValue = wrappedValue }
}

public struct Transaction {}

public protocol TimelineEntry {
    var date: Date { get }
}

public struct Timeline<EntryType: TimelineEntry> {
    public init(entries: [EntryType], policy: Date) {}
}

public struct TimelineProviderContext {
    public let isPreview: Bool
}

public protocol TimelineProvider {
    associatedtype Entry: TimelineEntry
    typealias Context = TimelineProviderContext
    func placeholder(in context: Self.Context) -> Entry
    func getTimeline(in context: Self.Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}
