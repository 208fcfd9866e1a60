"""A usual company API, on Python's standard library alone: {"data": …} around lists and records, a cursor in the body,
dates as milliseconds, If-Match, merge patches and whole records, problem+json, a bearer token.

Prints its port, and serves until its input ends.
"""

import http.server
import json
import re
import sys
import threading
import urllib.parse

records = {}  # collection -> id -> (version, record)
responses = {}  # Idempotency-Key -> (status, headers, body)
lock = threading.Lock()


class Problem(Exception):
    def __init__(self, status, title, **members):
        self.status, self.body = status, {"type": "about:blank", "title": title, "status": status, **members}


def merged(target, patch):
    """RFC 7396, section 2."""
    if not isinstance(patch, dict):
        return patch
    target = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            target.pop(key, None)
        else:
            target[key] = merged(target.get(key), value)
    return target


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle_request(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        with lock:
            try:
                status, headers, response = self.respond(body)
                kind = "application/json"
            except Problem as problem:
                status, headers, response, kind = problem.status, {}, problem.body, "application/problem+json"
        data = b"" if response is None else json.dumps(response).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        if data:
            self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_request

    def respond(self, body):
        if self.headers.get("Authorization") != "Bearer secret":
            raise Problem(401, "Unauthorized")
        url = urllib.parse.urlsplit(self.path)
        match = re.fullmatch(r"/api/v1/(job-sheets|workers|skills)(?:/([^/]+))?", url.path)
        if not match:
            raise Problem(404, "No such resource")
        collection, identity = records.setdefault(match[1], {}), match[2]
        if identity is None:
            return self.list(collection, url.query) if self.command == "GET" else self.create(collection, body)
        if identity not in collection:
            raise Problem(404, "No such record")
        version, record = collection[identity]
        if self.command == "GET":
            return 200, {"ETag": f'"{version}"'}, {"data": record}
        self.check_version(version)
        if self.command == "DELETE":
            del collection[identity]
            return 204, {}, None
        if self.command == "PUT":
            return self.store(collection, version + 1, self.record(body), 200)
        if self.headers.get("Content-Type") != "application/merge-patch+json":
            raise Problem(415, "Unsupported media type", detail="Send application/merge-patch+json.")
        return self.store(collection, version + 1, merged(record, self.record(body)), 200)

    def list(self, collection, query):
        parameters = dict(urllib.parse.parse_qsl(query))
        limit, start = min(int(parameters.get("limit", 2)), 2), int(parameters.get("cursor", "c0")[1:])
        page = [record for _, record in sorted(collection.values(), key=lambda pair: str(pair[1]["id"]))]
        end = start + limit
        cursor = f"c{end}" if end < len(page) else None
        return 200, {}, {"data": page[start:end], "page": {"next_cursor": cursor}}

    def create(self, collection, body):
        key = self.headers.get("Idempotency-Key")
        if key in responses:
            return responses[key]
        record = self.record(body)
        if str(record["id"]) in collection:
            raise Problem(409, "Conflict", detail="A record with this id exists.")
        response = self.store(collection, 1, record, 201)
        if key:
            responses[key] = response
        return response

    def record(self, body):
        try:
            return json.loads(body)["data"]
        except (ValueError, KeyError, TypeError):
            raise Problem(400, "Bad request", detail='The body must be {"data": …}.')

    def check_version(self, version):
        condition = self.headers.get("If-Match")
        if condition is None:
            raise Problem(428, "Precondition required", detail="Send If-Match.")
        if condition != f'"{version}"':
            raise Problem(412, "Precondition failed")

    def store(self, collection, version, record, status):
        errors = []
        if "title" in record and not str(record["title"]).strip():
            errors.append({"pointer": "#/title", "detail": "must not be empty"})
        if not isinstance(record.get("dueAt", 0), (int, type(None))):
            errors.append({"pointer": "#/dueAt", "detail": "must be milliseconds since 1970"})
        if errors:
            raise Problem(422, "Validation failed", errors=errors)
        for column in ("dueAt", "options", "workerId") if "title" in record else ():
            record.setdefault(column, None)
        collection[str(record["id"])] = (version, record)
        return status, {"ETag": f'"{version}"'}, {"data": record}


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
