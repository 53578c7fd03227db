#!/usr/bin/env python3
"""A stand-in for Apple on loopback: answers as App Store Connect, the App Store Server API and
verifyReceipt do, on good days and on bad ones.

It shares no code with Tieout: tokens are verified here by arithmetic on the curve, against the
public key alone, or that of a key that --make-key writes. Prints the port that it listens on, then nothing; what was asked goes to --log,
a JSON object a line, never with a token.

--faults is a JSON file: a list of {"match": part of path, query or body, "times": how often (1),
"do": what}, where what is one of FAULTS below, with "retry_after", "text" and the like beside it.
"""

import argparse
import base64
import email.utils
import gzip
import hashlib
import json
import os
import pathlib
import secrets
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# P-256 (FIPS 186-5).
P = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
A = P - 3
G = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
     0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def add(p, q):
    if p is None or q is None:
        return p or q
    if p[0] == q[0] and (p[1] + q[1]) % P == 0:
        return None
    if p == q:
        slope = (3 * p[0] * p[0] + A) * pow(2 * p[1], -1, P)
    else:
        slope = (q[1] - p[1]) * pow(q[0] - p[0], -1, P)
    x = (slope * slope - p[0] - q[0]) % P
    return x, (slope * (p[0] - x) - p[1]) % P


def times(n, p):
    total = None
    while n:
        if n & 1:
            total = add(total, p)
        p, n = add(p, p), n >> 1
    return total


def verifies(public, message, signature):
    """ES256: r and s, 32 bytes each; DER is longer, and refused."""
    if len(signature) != 64:
        return False
    r, s = int.from_bytes(signature[:32], "big"), int.from_bytes(signature[32:], "big")
    if not (0 < r < N and 0 < s < N):
        return False
    z = int.from_bytes(hashlib.sha256(message).digest(), "big")
    w = pow(s, -1, N)
    point = add(times(z * w % N, G), times(r * w % N, public))
    return point is not None and point[0] % N == r


def public_key(path):
    """Of PEM: the uncompressed point ends the key."""
    lines = [x for x in pathlib.Path(path).read_text().split("\n") if x and "-----" not in x]
    der = base64.b64decode("".join(lines))
    return int.from_bytes(der[-64:-32], "big"), int.from_bytes(der[-32:], "big")


def der(tag, content):
    length = bytes([len(content)]) if len(content) < 128 else bytes([0x81, len(content)])
    return bytes([tag]) + length + content


def make_key(path):
    """Writes a new key as App Store Connect gives them out (PKCS#8 in PEM); its public half."""
    private = secrets.randbelow(N - 1) + 1
    public = times(private, G)
    point = b"\4" + public[0].to_bytes(32, "big") + public[1].to_bytes(32, "big")
    key = der(0x30, der(2, b"\1") + der(4, private.to_bytes(32, "big"))
              + der(0xA1, der(3, b"\0" + point)))
    # id-ecPublicKey, prime256v1.
    kind = der(6, bytes.fromhex("2A8648CE3D0201")) + der(6, bytes.fromhex("2A8648CE3D030107"))
    text = base64.b64encode(der(0x30, der(2, b"\0") + der(0x30, kind) + der(4, key))).decode()
    lines = [text[place:place + 64] for place in range(0, len(text), 64)]
    pem = ["-----BEGIN PRIVATE KEY-----", *lines, "-----END PRIVATE KEY-----", ""]
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
        file.write("\n".join(pem))
    return public


def unbase64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class State:
    def __init__(self, options):
        self.options = options
        self.public = public_key(options.public_key) if options.public_key else None
        if options.make_key:
            self.public = make_key(options.make_key)
        self.faults = json.loads(pathlib.Path(options.faults).read_text()) if options.faults else []
        self.lock = threading.Lock()
        self.known = {}
        self.pages = {}
        self.payloads = []
        if options.notifications:
            for line in open(options.notifications):
                moment, payload = line.rstrip("\n").split("\t")
                self.payloads.append((int(moment), payload))
            self.payloads.sort()

    def now(self):
        return time.time() + self.options.clock

    def fault(self, text):
        with self.lock:
            for fault in self.faults:
                if fault["match"] in text and fault.get("times", 1) > 0:
                    fault["times"] = fault.get("times", 1) - 1
                    return fault
        return None

    def refusal(self, header, is_server_api):
        """Why a token is none, or None."""
        if self.public is None:
            return None
        token = (header or "").removeprefix("Bearer ")
        parts = token.split(".")
        if len(parts) != 3:
            return "no token"
        try:
            head, claims = json.loads(unbase64(parts[0])), json.loads(unbase64(parts[1]))
        except ValueError:
            return "no JSON"
        with self.lock:
            good = self.known.get(token)
        if good is None:
            message = (parts[0] + "." + parts[1]).encode()
            good = verifies(self.public, message, unbase64(parts[2]))
            with self.lock:
                self.known[token] = good
        now = self.now()
        checks = [
            (good, "signature"), (head.get("alg") == "ES256", "alg"),
            (head.get("kid") == self.options.key_id, "kid"), (head.get("typ") == "JWT", "typ"),
            (claims.get("iss") == self.options.issuer, "iss"),
            (claims.get("aud") == "appstoreconnect-v1", "aud"),
            (claims.get("exp", 0) > now, "expired"), (claims.get("iat", 1e12) <= now, "not begun"),
            (claims.get("exp", 1e12) - claims.get("iat", 0) <= 1200, "too long"),
            ("bid" not in claims or is_server_api, "bid"),
            (not is_server_api or claims.get("bid") == self.options.bundle, "bid"),
        ]
        return next((what for holds, what in checks if not holds), None)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    state: State

    def log_message(self, *args):
        pass

    def date_time_string(self, timestamp=None):
        return email.utils.formatdate(self.state.now(), usegmt=True)

    def do_GET(self):
        self.answer(b"")

    def do_POST(self):
        self.answer(self.rfile.read(int(self.headers.get("Content-Length", 0))))

    def send(self, status, body=b"", kind="application/json", headers=()):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.note["status"] = status
        self.remember()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def error(self, status, code, detail, headers=()):
        body = {"errors": [{"id": "1", "status": str(status), "code": code,
                            "title": "An error", "detail": detail}]}
        self.send(status, body, headers=headers)

    def answer(self, body):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        token = self.headers.get("Authorization", "")
        self.note = {
            "at": time.time(), "method": self.command, "path": url.path, "query": query,
            "accept": self.headers.get("Accept"), "status": None,
            "token": hashlib.sha256(token.encode()).hexdigest()[:8] if token else None}
        if "verifyReceipt" not in url.path:
            self.note["body"] = body.decode()
        try:
            self.route(url.path, query, body, token)
        except (BrokenPipeError, ConnectionResetError):
            pass
        finally:
            self.remember()

    def remember(self):
        """Writes down what was asked, before the answer can be there."""
        note, self.note = self.note, None
        if note and self.state.options.log:
            with self.state.lock, open(self.state.options.log, "a") as log:
                log.write(json.dumps(note) + "\n")

    def route(self, path, query, body, token):
        text = " ".join([self.path, urllib.parse.unquote(self.path), body.decode("latin-1")])
        fault = self.state.fault(text)
        if fault and FAULTS[fault["do"]](self, fault, path, query):
            return
        if path.endswith("/verifyReceipt"):
            return self.receipt(json.loads(body), "sandbox" in path)
        is_server_api = path.startswith("/inApps/")
        why = self.state.refusal(token, is_server_api)
        if why:
            self.note["why"] = why
            if is_server_api:
                return self.send(401, b"Unauthenticated\n", "text/plain")
            return self.error(401, "NOT_AUTHORIZED", "Provide a properly configured and signed "
                              "bearer token, and make sure that it has not expired.")
        if path == "/v1/salesReports":
            return self.sales(query)
        if path == "/v1/financeReports":
            return self.finance(query)
        if path == "/inApps/v1/notifications/history":
            return self.notifications(json.loads(body), query)
        if path.startswith("/inApps/"):
            return self.stored(path, query)
        if path.startswith(("/v1/subscriptions/", "/v1/inAppPurchase", "/v2/inAppPurchases/")):
            return self.listed(path, query)
        self.error(404, "NOT_FOUND", "The path provided does not match a defined resource type.")

    def file(self, name):
        """A report's bytes as a gzip file, from one that is packed or not."""
        folder = pathlib.Path(self.state.options.data)
        packed = folder / (name + ".txt.gz")
        if packed.exists():
            return packed.read_bytes()
        plain = folder / (name + ".txt")
        return gzip.compress(plain.read_bytes(), mtime=0) if plain.exists() else None

    def report(self, content):
        limit = [("X-Rate-Limit", "user-hour-lim:3500;user-hour-rem:%d;" % self.state.options.left)]
        self.send(200, content, "application/a-gzip", limit)

    def sales(self, query):
        if self.headers.get("Accept") != "application/a-gzip":
            return self.error(406, "NOT_ACCEPTABLE", "The Accept header is not valid.")
        options = self.state.options
        kind, often = query["filter[reportType]"], query["filter[frequency]"]
        date, vendor = query["filter[reportDate]"], query["filter[vendorNumber]"]
        if vendor != options.vendor:
            return self.error(400, "PARAMETER_ERROR.INVALID", "Invalid vendor number specified.")
        version = query.get("filter[version]")
        if kind != "SALES" and version != options.version:
            return self.error(400, "PARAMETER_ERROR.INVALID",
                              "The version you have specified is invalid. The latest version for "
                              f"this report is {options.version}.")
        if options.gone_before and date < options.gone_before:
            return self.error(410, "GONE", "Report is no longer available. Reports are only "
                              "available for 365 days.")
        if options.not_after and date > options.not_after:
            return self.error(404, "NOT_FOUND", "Report is not available yet. Daily reports for "
                              "the Americas are available by 5 am Pacific Time; Japan, Australia, "
                              "and New Zealand by 5 am Japan Standard Time; and 5 am Central "
                              "European Time for all other territories.")
        names = {"SALES": "S_" + often[0], "SUBSCRIPTION": "Subscription",
                 "SUBSCRIPTION_EVENT": "Subscription_Event", "SUBSCRIBER": "Subscriber"}
        content = self.file(f"{names[kind]}_{vendor}_{date.replace('-', '')}")
        if content is None:
            return self.error(404, "NOT_FOUND", "There were no sales for the date specified.")
        self.report(content)

    def finance(self, query):
        year, number = map(int, query["filter[reportDate]"].split("-"))
        month = (number + 8) % 12 + 1
        year = year - 1 if number <= 3 else year
        region = query["filter[regionCode]"]
        is_detail = query["filter[reportType]"] == "FINANCE_DETAIL"
        if is_detail != (region == "Z1"):
            return self.error(400, "PARAMETER_ERROR.INVALID", "FINANCE_DETAIL needs region Z1.")
        vendor = query["filter[vendorNumber]"]
        content = self.file(f"{vendor}_{month:02}{year % 100:02}_{region}")
        if content is None:
            return self.error(404, "NOT_FOUND", "There were no sales for the date specified.")
        self.report(content)

    def notifications(self, asked, query):
        first, last = asked["startDate"], asked["endDate"]
        begin = int(query.get("paginationToken", "p0")[1:])
        kind = asked.get("notificationType")
        key = (first, last, kind)
        with self.state.lock:
            if key not in self.state.pages:
                self.state.pages[key] = [
                    payload for moment, payload in self.state.payloads
                    if first <= moment < last and (kind is None or kind == of(payload))]
        found = self.state.pages[key]
        page = found[begin:begin + 20]
        more = begin + 20 < len(found)
        answer = {"hasMore": more, "notificationHistory": [
            {"signedPayload": p,
             "sendAttempts": [{"attemptDate": first, "sendAttemptResult": "SUCCESS"}]}
            for p in page]}
        if more:
            answer["paginationToken"] = f"p{begin + 20}"
        self.send(200, answer)

    def stored(self, path, query):
        """An answer that lies in the data: history_7001.json has pages, by revision."""
        _, _, version, *rest = path.split("/")
        folder = pathlib.Path(self.state.options.data)
        name = {"history": "history", "refund": "refunds", "subscriptions": "statuses",
                "lookup": "order"}[rest[0]]
        file = folder / f"{name}_{rest[-1]}.json"
        if not file.exists():
            return self.send(404, {"errorCode": 4040010 if rest[-1].startswith("9") else 4040005,
                                   "errorMessage": "Transaction id not found."})
        pages = json.loads(file.read_text())
        revision = query.get("revision", "")
        if name in ("history", "refunds"):
            known = [x["revision"] for x in pages]
            index = known.index(revision) + 1 if revision in known else 0
            if index == len(pages):
                return self.send(200, {**pages[-1], "signedTransactions": [], "hasMore": False})
            return self.send(200, pages[index])
        self.send(200, pages)

    def listed(self, path, query, first=None, total=None):
        """A page of a list of App Store Connect that lies whole in the data, under the last two
        parts of its path; a page's cursor is its offset in base64, as Apple's examples have it."""
        if self.headers.get("Accept") != "application/json":
            return self.error(406, "NOT_ACCEPTABLE", "The Accept header is not valid.")
        file = pathlib.Path(self.state.options.data) / ("_".join(path.split("/")[-2:]) + ".json")
        if not file.exists():
            return self.error(404, "NOT_FOUND", "There is no resource of this type with this id.")
        whole = json.loads(file.read_text())
        limit = min(int(query.get("limit", 50)), whole.get("limit", 200))
        begin = int(unbase64(query["cursor"])) if "cursor" in query else 0
        begin = begin if first is None else first
        end = begin + limit
        base = "https://api.appstoreconnect.apple.com" + path + "?"
        others = {k: v for k, v in query.items() if k != "cursor"}
        links = {"self": base + urllib.parse.urlencode(query)}
        if end < len(whole["data"]):
            cursor = base64.urlsafe_b64encode(str(end).encode()).decode().rstrip("=")
            links["next"] = base + urllib.parse.urlencode({"cursor": cursor, **others})
        self.send(200, {
            "data": whole["data"][begin:end], "included": whole.get("included", []),
            "links": links,
            "meta": {"paging": {"total": total or len(whole["data"]), "limit": limit}}})

    def receipt(self, asked, is_sandbox):
        folder = pathlib.Path(self.state.options.data)
        digest = hashlib.sha256(asked["receipt-data"].encode()).hexdigest()[:16]
        self.note["receipt"] = digest
        self.note["secret"] = "password" in asked
        name = ("sandbox_" if is_sandbox else "") + f"receipt_{digest}.json"
        file = folder / name
        self.send(200, json.loads(file.read_text()) if file.exists() else {"status": 21007})


def of(payload):
    try:
        return json.loads(unbase64(payload.split(".")[1])).get("notificationType")
    except ValueError:
        return None


# MARK: - Bad days. Each returns whether the request is answered with it.

def status(code, body=None):
    def answer(handler, fault, path, query):
        headers = [("Retry-After", str(fault["retry_after"]))] if "retry_after" in fault else []
        text = fault.get("text", "An error.")
        if fault.get("echo"):
            text += " " + handler.headers.get("Authorization", "")
        if "error_code" in fault:
            handler.send(code, {"errorCode": fault["error_code"], "errorMessage": text},
                         headers=headers)
        else:
            handler.error(code, fault.get("code", "ERROR"), text, headers)
        return True
    return answer


def retry_in_ms(handler, fault, path, query):
    moment = int((handler.state.now() + fault["seconds"]) * 1000)
    handler.send(429, {"errorCode": 4290000, "errorMessage": "Rate limit exceeded."},
                 headers=[("Retry-After", str(moment))])
    return True


def retry_at(handler, fault, path, query):
    moment = email.utils.formatdate(handler.state.now() + fault["seconds"], usegmt=True)
    handler.error(429, "RATE_LIMIT_EXCEEDED", "Slow down.", [("Retry-After", moment)])
    return True


def slow(handler, fault, path, query):
    time.sleep(fault["seconds"])
    return False


def cut(handler, fault, path, query):
    """Half of a gzip file, with the length of a whole one; or in chunks, which tell no length."""
    content = gzip.compress(b"Provider\tProvider Country\tSKU\n" * 4000)
    handler.note["status"] = 200
    handler.remember()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/a-gzip")
    half = content[:len(content) // 2]
    if fault.get("is_silent_about_length"):
        handler.send_header("Connection", "close")
        handler.end_headers()
        handler.wfile.write(half)
    else:
        handler.send_header("Content-Length", str(len(content)))
        handler.end_headers()
        handler.wfile.write(half)
    handler.wfile.flush()
    handler.close_connection = True
    return True


def empty(handler, fault, path, query):
    handler.report(gzip.compress(b"", mtime=0))
    return True


def empty_member(handler, fault, path, query):
    """The file behind an empty gzip member, in members of its own for header and rows."""
    date, vendor = query["filter[reportDate]"], query["filter[vendorNumber]"]
    content = gzip.decompress(handler.file(f"S_D_{vendor}_{date.replace('-', '')}"))
    end = content.index(b"\n") + 1
    parts = [b"", content[:end], content[end:]]
    handler.report(b"".join(gzip.compress(part, mtime=0) for part in parts))
    return True


def redirect(handler, fault, path, query):
    port = handler.server.server_address[1]
    handler.send(302, b"", headers=[("Location", fault["to"].replace("PORT", str(port)))])
    return True


def huge(handler, fault, path, query):
    handler.note["status"] = 200
    handler.remember()
    handler.send_response(200)
    handler.send_header("Content-Type", "application/a-gzip")
    handler.send_header("Content-Length", str(2 << 30))
    handler.end_headers()
    try:
        for _ in range(64):
            handler.wfile.write(bytes(1 << 20))
    finally:
        handler.close_connection = True
    return True


def other_total(handler, fault, path, query):
    """A page of a list that has grown since."""
    handler.listed(path, query, total=9999)
    return True


def shifted(handler, fault, path, query):
    """A page of a list that an element was put into since: it has one of the page before."""
    handler.listed(path, query, first=int(unbase64(query["cursor"])) - 1)
    return True


def hang_up(handler, fault, path, query):
    handler.remember()
    handler.close_connection = True
    handler.connection.shutdown(2)
    return True


FAULTS = {
    "400": status(400), "401": status(401), "403": status(403), "404": status(404),
    "410": status(410), "429": status(429), "500": status(500), "502": status(502),
    "503": status(503), "504": status(504),
    "retry-in-ms": retry_in_ms, "retry-at": retry_at, "slow": slow, "cut": cut, "empty": empty,
    "empty-member": empty_member, "redirect": redirect, "huge": huge, "hang-up": hang_up,
    "other-total": other_total, "shifted": shifted,
}


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=".")
    parser.add_argument("--public-key")
    parser.add_argument("--make-key", metavar="FILE", help="write a key, and take its tokens")
    parser.add_argument("--key-id", default="2X9R4HXF34")
    parser.add_argument("--issuer", default="57246542-96fe-1a63-e053-0824d011072a")
    parser.add_argument("--bundle", default="com.example.game")
    parser.add_argument("--vendor", default="85127269")
    parser.add_argument("--version", default="1_4")
    parser.add_argument("--not-after")
    parser.add_argument("--gone-before")
    parser.add_argument("--notifications")
    parser.add_argument("--faults")
    parser.add_argument("--log")
    parser.add_argument("--left", type=int, default=3000)
    parser.add_argument("--clock", type=float, default=0, help="seconds ahead of this machine")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    Handler.state = State(options)
    server = Server(("127.0.0.1", options.port), Handler)
    print(server.server_address[1], flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        sys.exit(0)


if __name__ == "__main__":
    main()
