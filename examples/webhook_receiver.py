"""A receiver of webhooks in Python 3.9 or later, without packages:

    WEBHOOK_SECRET=whsec_... PORT=3000 python3 examples/webhook_receiver.py

What every receiver has to do, and where it is done here: it takes large bodies and the bytes as they came
(1), verifies the signature before it reads anything (2), refuses old messages (3), handles each message
once (4), and answers 2xx only when the message is kept (5).
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
if not SECRET.startswith("whsec_"):
    raise SystemExit("WEBHOOK_SECRET must be the secret of the endpoint.")
# The key of the HMAC: not the text itself, but the bytes that it encodes.
KEY = base64.b64decode(SECRET[len("whsec_") :])

TOLERANCE_SECONDS = 300
MAX_BYTES = 16 * 1024 * 1024

# (4) A real receiver keeps the ids in its database, in the transaction of what it does.
seen = set()


def handle(message):
    if message["Id"] in seen:
        print(f"seen before {message['Id']}", flush=True)
        return
    seen.add(message["Id"])
    payload = message["Payload"]
    submission = payload.get("submissionId", "-")
    print(f"{message['EventName']} submission {submission} revision {payload['revision']}", flush=True)


def is_signed(headers, body):
    sent_at = headers.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(time.time() - int(sent_at)) > TOLERANCE_SECONDS:  # (3)
        return False
    signed = f"{headers.get('webhook-id', '')}.{sent_at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, signed, hashlib.sha256).digest()).decode()
    # (2) Two signatures while a secret is rotated; one must be right.
    signatures = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(each.encode(), expected.encode()) for each in signatures)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = int(self.headers.get("content-length", "0"))
        if length > MAX_BYTES:  # (1)
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_signed(self.headers, body):
            return self.answer(401)
        handle(json.loads(body))
        return self.answer(204)  # (5) an exception above closes the connection, and the message comes again

    def answer(self, status):
        self.send_response(status)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_):
        """Nothing for each request."""


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
print("listening", flush=True)
server.serve_forever()
