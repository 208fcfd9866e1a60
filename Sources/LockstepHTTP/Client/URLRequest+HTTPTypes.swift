import Foundation
import HTTPTypes

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLRequest {
    init(_ request: HTTPRequest, url: URL, body: Data?) {
        self.init(url: url)
        httpMethod = request.method.rawValue
        timeoutInterval = HTTPSession.requestTimeoutSeconds
        httpShouldHandleCookies = false
        for field in request.headerFields {
            // Fields with the same name are joined by commas (RFC 9110, 5.3), those of cookies by semicolons.
            let before = value(forHTTPHeaderField: field.name.rawName)
            let separator = field.name == .cookie ? "; " : ", "
            setValue(before.map { $0 + separator + field.value } ?? field.value, forHTTPHeaderField: field.name.rawName)
        }
        if let body { httpBody = body }
    }
}

extension HTTPResponse {
    init(_ response: HTTPURLResponse) {
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else {
                continue
            }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(status: Status(code: response.statusCode), headerFields: fields)
    }
}
