"""Two servers of notes that list changes by time stamps, on Python's standard library alone.

The one that is started with `careful` stamps a note when it is committed, lists deleted notes, stores the responses to
keys, has ETags and knows whose note it is. The other one does what is quickly written: it stamps a note when the request
arrives, and does nothing of the rest.

Prints its port, and serves until its input ends.
"""

import datetime
import http.server
import json
import sys
import threading
import time
import urllib.parse

careful = "careful" in sys.argv[1:]
users = {"Bearer ann-secret": "ann", "Bearer ben-secret": "ben"}
notes = {}  # id -> {"owner", "version", "stamp", "note"}; the note is None if it was deleted
responses = {}  # Idempotency-Key -> (body, response)
state = threading.Condition()
last_stamp = 0.0
listed = 0.0  # the time that the last list has reached
creating = 0
was_held = False


class Problem(Exception):
    pass


def text(stamp):
    moment = datetime.datetime.fromtimestamp(stamp, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def commit_time():
    """A time that no earlier commit has."""
    global last_stamp
    last_stamp = max(time.time(), last_stamp + 0.00001)
    return last_stamp


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def handle_request(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            status, note, fields = self.respond(body)
        except Problem as problem:
            status, note, fields = problem.args[0], {"error": problem.args[1]}, {}
        data = b"" if note is None else json.dumps(note).encode()
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name, value)
        if data:
            self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PATCH = do_DELETE = handle_request

    def respond(self, body):
        self.user = users.get(self.headers.get("Authorization"))
        if self.user is None:
            raise Problem(401, "no such token")
        url = urllib.parse.urlsplit(self.path)
        parts = url.path.strip("/").split("/")
        if self.command == "POST":
            return self.create(body)
        with state:
            if len(parts) == 1:
                return self.list(dict(urllib.parse.parse_qsl(url.query)).get("updated_since", ""))
            row = notes.get(parts[1])
            if row is None or row["note"] is None or careful and row["owner"] != self.user:
                raise Problem(404, "no such note")
            condition = self.headers.get("If-Match")
            if careful and condition not in (None, '"%d"' % row["version"]):
                raise Problem(412, "the note has another version")
            if self.command == "PATCH":
                self.store(parts[1], {**row["note"], **json.loads(body)}, row["owner"], commit_time())
            elif self.command == "DELETE":
                if careful:
                    self.store(parts[1], None, row["owner"], commit_time())
                else:
                    del notes[parts[1]]
                return 204, None, {}
            return self.response(200, parts[1])

    def list(self, since):
        global listed
        found = []
        for identity, row in notes.items():
            if row["owner"] == self.user and text(row["stamp"]) >= since:
                stamp = text(row["stamp"])
                if row["note"] is not None:
                    found.append({**row["note"], "updated_at": stamp})
                elif since:
                    found.append({"id": identity, "updated_at": stamp, "deleted_at": stamp})
        # A client goes on from the last stamp, but not from a later second than that of this response.
        listed = min(max((row["stamp"] for row in notes.values()), default=0.0), float(int(time.time())))
        state.notify_all()
        return 200, found, {}

    def create(self, body):
        global creating, was_held
        note, key, arrival = json.loads(body), self.headers.get("Idempotency-Key"), time.time()
        with state:
            creating += 1
        time.sleep(0.01)
        with state:
            try:
                if careful and key in responses:
                    if responses[key][0] != body:
                        raise Problem(422, "the key was used for another note")
                    return responses[key][1]
                if careful and note["id"] in notes:
                    raise Problem(409, "there is such a note")
                # A slow transaction: it ends when another one that came later has been listed.
                if not careful and creating > 1 and not was_held:
                    was_held = True
                    state.wait_for(lambda: listed > arrival, timeout=30)
                self.store(note["id"], note, self.user, commit_time() if careful else arrival)
                response = self.response(201, note["id"])
                responses[key] = (body, response)
                return response
            finally:
                creating -= 1

    def store(self, identity, note, owner, stamp):
        version = notes[identity]["version"] + 1 if identity in notes else 1
        notes[identity] = {"owner": owner, "version": version, "stamp": stamp, "note": note}

    def response(self, status, identity):
        row = notes[identity]
        return status, row["note"], {"ETag": '"%d"' % row["version"]} if careful else {}


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64


server = Server(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
