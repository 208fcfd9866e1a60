// BackgroundTasks, which iOS has, as far as the page with a background refresh uses it.
public import Foundation

open class BGTaskRequest {
    public var earliestBeginDate: Date?
    init() {}
}

public class BGAppRefreshTaskRequest: BGTaskRequest {
    public init(identifier: String) {}
}

open class BGTaskScheduler {
    public nonisolated(unsafe) static let shared = BGTaskScheduler()
    public func submit(_ taskRequest: BGTaskRequest) throws {}
}
