#!/usr/bin/env python3
"""A worker for BuildGrid, which has none of its own in its package: takes actions by the Remote Workers API, runs them in
directories of their own, and stores what became of them. For benches/remote.sh; it confines nothing.

    remote-bot.py HOST:PORT INSTANCE NUMBER [NAME=VALUE]...

NUMBER threads, each a bot of its own with these properties."""

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
import time

import grpc
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2 as api
from buildgrid._protos.build.bazel.remote.execution.v2 import remote_execution_pb2_grpc as services
from buildgrid._protos.google.devtools.remoteworkers.v1test2 import bots_pb2, bots_pb2_grpc

ADDRESS, INSTANCE, NUMBER, *PROPERTIES = sys.argv[1:]
PENDING, ACTIVE, COMPLETED, CANCELLED = (bots_pb2.LeaseState.Value(n) for n in ("PENDING", "ACTIVE", "COMPLETED", "CANCELLED"))


class Storage:
    def __init__(self, channel):
        self.stub = services.ContentAddressableStorageStub(channel)

    def read(self, digests):
        digests = {d.hash: d for d in digests}
        request = api.BatchReadBlobsRequest(instance_name=INSTANCE, digests=digests.values())
        answer = self.stub.BatchReadBlobs(request, timeout=60)
        found = {one.digest.hash: one.data for one in answer.responses if one.status.code == 0}
        found[hashlib.sha256(b"").hexdigest()] = b""
        return found

    def message(self, kind, digest):
        return kind.FromString(self.read([digest])[digest.hash])

    def write(self, blobs):
        digests = [api.Digest(hash=hashlib.sha256(blob).hexdigest(), size_bytes=len(blob)) for blob in blobs]
        request = api.BatchUpdateBlobsRequest(instance_name=INSTANCE)
        for digest, blob in zip(digests, blobs):
            request.requests.add(digest=digest, data=blob)
        self.stub.BatchUpdateBlobs(request, timeout=60)
        return digests


def run(storage, action):
    """An action's result, and the status of its execution."""
    command = storage.message(api.Command, action.command_digest)
    root = storage.message(api.Directory, action.input_root_digest)
    result, code = api.ActionResult(), 0
    with tempfile.TemporaryDirectory() as directory:
        found = storage.read([file.digest for file in root.files])
        for file in root.files:
            with open(os.path.join(directory, file.name), "wb") as out:
                out.write(found[file.digest.hash])
        paths = command.output_paths or command.output_files
        for path in paths:
            os.makedirs(os.path.dirname(os.path.join(directory, path)) or directory, exist_ok=True)
        env = {one.name: one.value for one in command.environment_variables}
        quiet = subprocess.DEVNULL
        process = subprocess.Popen(
            command.arguments, cwd=directory, env=env, stdin=quiet, stdout=quiet, stderr=quiet, start_new_session=True
        )
        try:
            result.exit_code = process.wait(action.timeout.ToTimedelta().total_seconds() or None) % 256
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, 9)
            process.wait()
            code = grpc.StatusCode.DEADLINE_EXCEEDED.value[0]
        there = [path for path in paths if os.path.isfile(os.path.join(directory, path))]
        blobs = [open(os.path.join(directory, path), "rb").read() for path in there]
        for path, digest in zip(there, storage.write(blobs) if blobs else []):
            result.output_files.add(path=path, digest=digest)
    return result, code


def bot(number):
    channel = grpc.insecure_channel(ADDRESS)
    storage, stub = Storage(channel), bots_pb2_grpc.BotsStub(channel)
    session = bots_pb2.BotSession(bot_id=f"bot-{os.getpid()}-{number}", status=1)
    device = session.worker.devices.add(handle="machine")
    for one in PROPERTIES:
        name, value = one.split("=", 1)
        device.properties.add(key=name, value=value)
    session = stub.CreateBotSession(bots_pb2.CreateBotSessionRequest(parent=INSTANCE, bot_session=session), timeout=60)
    while True:
        for lease in session.leases:
            if lease.state == PENDING:
                lease.state = ACTIVE
                break
            if lease.state == ACTIVE:
                action = api.Action()
                if not lease.payload.Unpack(action):
                    digest = api.Digest()
                    lease.payload.Unpack(digest)
                    action = storage.message(api.Action, digest)
                result, code = run(storage, action)
                lease.result.Pack(result)
                lease.status.code = code
                lease.state = COMPLETED
                break
        else:
            kept = [lease for lease in session.leases if lease.state not in (CANCELLED, COMPLETED)]
            del session.leases[:]
            session.leases.extend(kept)
        request = bots_pb2.UpdateBotSessionRequest(name=session.name, bot_session=session)
        session = stub.UpdateBotSession(request, timeout=60)


def forever(number):
    while True:
        try:
            bot(number)
        except grpc.RpcError as error:
            print(f"bot {number}: {error.code().name}: {error.details()}", file=sys.stderr, flush=True)
            time.sleep(1)


for number in range(int(NUMBER)):
    threading.Thread(target=forever, args=(number,), daemon=True).start()
threading.Event().wait()
