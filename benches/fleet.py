#!/usr/bin/env python3
"""What a store of many machines costs, with workers whose compilers only sleep.

usage: benches/fleet.py [SECONDS [PART...]]

Starts PostgreSQL on a socket of its own (Debian's package; as `nobody` where this runs as root), and measures
  leases     (by the clock, and by the processor time of all on two cores, which other work does not change)
             programs leased a second by workers that do not sleep: by fours, as a hunt does, and committed; one by one and by 64,
             of programs that are there already
  scaling    1, 2, 4, 8, 32 workers with programs of one second: programs a second against one worker's, time lost to the store
  kills      workers killed (SIGKILL) or stopped past their lease at random; what starts workers (`xargs`) killed alone, so that its
             workers go on beside those of the next one, or with all that it started; connections cut by a proxy, the server killed
             and started again, its disk full (a small file system, where this may mount one), and some of the workers with clocks
             an hour ahead or behind (where `libfaketime` is installed): what the store then holds, compared with an undisturbed
             run's byte for byte but for times
  reduction  one finding reduced by 1, 2, 4, 8 workers, with a compiler that takes 0.5 s longer than it does: its time against one
             worker's, tests that others than its holder ran, and whether the reduced program is the same
SECONDS (10) bounds each measurement but the last; PART names those that are made (all). RECORD=1 writes the figures. PLUMB_PROFILE=debug takes a debug build.
"""
import json, os, pathlib, random, resource, shlex, shutil, signal, socket, subprocess, sys, tempfile, threading, time

here = pathlib.Path(__file__).resolve().parent
root = here.parent
profile = os.environ.get("PLUMB_PROFILE", "release")
seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
# A server that finds its disk full aborts, and its core would keep the disk full.
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
parts, same = sys.argv[2:] or ["leases", "scaling", "kills", "reduction"], True
binaries = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name), default=None)
if binaries is None:
    sys.exit("fleet.py: PostgreSQL is not installed; apt-get install postgresql")
faketime = next(pathlib.Path("/usr/lib").glob("*/faketime/libfaketime.so.1"), None)
options = [] if profile == "debug" else ["--release"]
subprocess.run(["cargo", "build", "--quiet", "-p", "plumb-campaign", "--example", "simulated_worker", *options], cwd=root, check=True)
worker = root / "target" / profile / "examples" / "simulated_worker"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    def __init__(self, disk=None):
        """With its files on a file system of so many megabytes, where that may be had."""
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="plumb-fleet."))
        self.dir.chmod(0o755)
        self.data = self.dir / "data"
        self.data.mkdir()
        self.port = free_port()
        words = ["mount", "-t", "tmpfs", "-o", f"size={disk}m", "plumb-fleet", self.data]
        self.bounded = disk is not None and subprocess.run(words, stderr=subprocess.DEVNULL, check=False).returncode == 0
        self.user = []
        if os.geteuid() == 0:
            shutil.chown(self.data, 65534, 65534)
            self.user = ["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "--"]
        self.run("initdb", "-A", "trust", "-U", "plumb", "-N", "-E", "UTF8", "--locale=C", stdout=subprocess.DEVNULL)
        self.up()

    def command(self, program, *words):
        return [*self.user, str(binaries / program), "-D", str(self.data), *words]

    def run(self, program, *words, **how):
        subprocess.run(self.command(program, *words), cwd=self.dir, check=True, **how)

    def up(self):
        words = ["-k", str(self.data), "-c", "listen_addresses=127.0.0.1", "-p", str(self.port), "-c", "log_min_messages=fatal", "-N", "100", "-c", "max_wal_size=256MB"]
        self.process = subprocess.Popen(self.command("postgres", *words), cwd=self.dir, stderr=subprocess.DEVNULL)
        while subprocess.run([binaries / "pg_isready", "-q", "-h", self.data, "-p", str(self.port)], check=False).returncode:
            if self.process.poll() is not None:
                self.process = subprocess.Popen(self.command("postgres", *words), cwd=self.dir, stderr=subprocess.DEVNULL)
            time.sleep(0.05)

    def down(self):
        """As a power cut: the server and all its processes die at once."""
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        for pid in [self.process.pid, *map(int, children)]:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        time.sleep(0.3)
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def close(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait()
        if self.bounded:
            subprocess.run(["umount", self.data], check=True)
        shutil.rmtree(self.dir)

    def fill(self):
        """Leaves no room on its disk for a while."""
        balloon = self.data / "balloon"
        try:
            with open(balloon, "wb") as file:
                while True:
                    file.write(bytes(1 << 20))
                    file.flush()
        except OSError:
            pass
        time.sleep(0.5)
        balloon.unlink(missing_ok=True)
        if self.process.poll() is not None:
            (self.data / "postmaster.pid").unlink(missing_ok=True)
            self.up()

    def cpu(self):
        """Seconds of processor time that it and its processes took so far."""
        total = 0
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        for pid in [self.process.pid, *children]:
            try:
                fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            except FileNotFoundError:
                continue
            total += sum(map(int, fields[11:15]))
        return total / os.sysconf("SC_CLK_TCK")

    def database(self, name):
        self.sql("postgres", f"CREATE DATABASE {name}")
        return f"postgresql://plumb@{str(self.data).replace('/', '%2F')}:{self.port}/{name}"

    def sql(self, database, text):
        words = [binaries / "psql", "-h", self.data, "-p", str(self.port), "-U", "plumb", "-d", database, "-AtX", "-v", "ON_ERROR_STOP=1", "-c", text]
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout


class Proxy:
    """Passes connections on to a port, and cuts all that are open when it is told to."""

    def __init__(self, port):
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port, self.to, self.open = self.listener.getsockname()[1], port, []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            client, _ = self.listener.accept()
            try:
                server = socket.create_connection(("127.0.0.1", self.to))
            except OSError:
                client.close()
                continue
            self.open += [client, server]
            for pair in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=pair, daemon=True).start()

    @staticmethod
    def pump(one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        for end in (one, other):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        for end in self.open:
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.open = []


class Launcher:
    """Two workers at a time, each started again until it finds nothing left to do: a process group, as on a node of a cluster."""

    def __init__(self, *words):
        quoted = shlex.join(map(str, [worker, *words]))
        again = f"yes | xargs -P 2 -n 1 sh -c {shlex.quote(quoted + ' >/dev/null 2>&1 && exit 255; sleep 0.1; exit 1')}"
        self.process = subprocess.Popen(["sh", "-c", again], process_group=0, stderr=subprocess.DEVNULL)

    def members(self, name):
        """Those of its processes that are called so."""
        words = ["pgrep", "-g", str(self.process.pid), "-x", name[:15]]
        return list(map(int, subprocess.run(words, capture_output=True, text=True).stdout.split()))

    def kill(self):
        """It alone: what it started is nobody's, and goes on."""
        for pid in [*self.members("xargs"), *self.members("yes"), self.process.pid]:
            signalled(pid, signal.SIGKILL)
        self.process.wait()

    def kill_all(self):
        signalled(-self.process.pid, signal.SIGKILL)
        self.process.wait()


def signalled(pid, number):
    """Sends a signal, unless the process (negative: the group) has ended meanwhile."""
    try:
        os.kill(pid, number)
        return True
    except ProcessLookupError:
        return False


def start(store, programs, sleep, lease, size, *bare, clock=None):
    words = [worker, store, *map(str, (programs, sleep, lease, size)), *bare]
    faked = {**os.environ, "LD_PRELOAD": str(faketime), "FAKETIME": clock} if clock else None
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=faked)


def counted(workers):
    """Leases, programs, seconds and seconds waited, of all that end."""
    lines = [process.communicate()[0].split() for process in workers]
    return [sum(column) for column in zip(*([float(word) for word in line] for line in lines if line))]


def leases(server):
    rates = {}
    kinds = (("committed", 16, 4, 1000, []), ("single", 4, 1, 1000, ["leases"]), ("batched", 4, 64, 64000, ["leases"]))
    for name, workers, size, programs, bare in kinds:
        store, programs = server.database(name), programs * seconds
        if bare:
            # A range is finished when its programs are there.
            counted([start(store, 0, 0, 60000, size)])
            rows = f"SELECT id, seed, '', '', '', 0, 0, '' FROM campaign, generate_series(0, {programs - 1}) AS seed"
            server.sql(name, f"INSERT INTO program (campaign, seed, name, about, detail, compilers_us, plumb_us, strategies) {rows}")
        begun, own = time.monotonic(), server.cpu() + sum(os.times()[2:4])
        done = counted([start(store, programs, 0, 60000, size, *bare) for _ in range(workers)])
        rates[name] = size * done[0] / (time.monotonic() - begun)
        # On a machine with other work: what the same would be if all of two cores were for it.
        rates[name, "alone"] = 2 * size * done[0] / (server.cpu() + sum(os.times()[2:4]) - own)
        assert done[0] * size == programs, done
        print(f"leases: {rates[name]:.0f} programs a second ({rates[name, 'alone']:.0f} by processor time), {size} a lease, {name}, {workers} workers")
    return rates


def scaling(server):
    rates, share = {}, 0
    for count in (1, 2, 4, 8, 32):
        store = server.database(f"scaling{count}")
        begun = time.monotonic()
        done = counted([start(store, count * seconds, 1000, 60000, 1) for _ in range(count)])
        rates[count] = done[1] / (time.monotonic() - begun)
        share = done[3] / done[2]
        print(f"scaling: {count} workers {rates[count]:.2f} programs a second, {100 * share:.2f} % of their time in the store")
    return rates, share


def contents(server, database):
    tables = {
        "program": "- 'at' - 'plumb_us' - 'compilers_us'", "result": "- 'compile_us' - 'run_us'", "finding_seen": "- 'at'",
        "finding_file": "- 'at'",
    }
    return {table: server.sql(database, f"SELECT (to_jsonb(t) {times})::text FROM {table} AS t ORDER BY 1") for table, times in tables.items()}


def kills(count):
    server = Server(disk=700)
    try:
        return kills_on(server, count)
    finally:
        server.close()


def kills_on(server, count):
    programs, draw = 250 * count, random.Random(1)
    calm = server.database("calm")
    counted([start(calm, programs, 0, 60000, 4)])
    store = server.database("kills")
    proxy = Proxy(server.port)
    through = f"postgresql://plumb@127.0.0.1:{proxy.port}/kills"
    clocks = ["+1h", "-1h"] if faketime else [None, None]
    if clocks[0] is None:
        print("kills: NOT with two clocks: libfaketime is not installed", file=sys.stderr)
    if not server.bounded:
        print("kills: NOT with a full disk: no file system may be mounted here", file=sys.stderr)
    # Of four workers two have another time, and one of each kind is behind the proxy. Two launchers have two more each.
    places = [(store, clocks[0]), (through, clocks[1]), (store, None), (through, None)]

    def begin(at):
        place, clock = places[at]
        return start(place, programs, 50, 700, 4, clock=clock)

    def launch(at):
        return Launcher(places[at][0], programs, 50, 700, 4)

    workers, launchers = [begin(at) for at in range(4)], [launch(at) for at in range(2)]
    # Workers stopped, and launchers of which only workers are left.
    stopped, gone = [], []
    kinds = dict.fromkeys(("kill", "stop", "launcher", "node", "cut", "server", "disk"), 0)
    for number in range(count):
        time.sleep(draw.uniform(0.02, 0.2))
        for at, process in enumerate(workers):
            if process.poll() is not None and process.returncode != 0:
                # It found the disk full and said so, as a launcher would see.
                workers[at] = begin(at)
        kind = {9: "server", 19: "disk" if server.bounded else "server"}.get(number % 20)
        kind = kind or draw.choice(["kill", "kill", "kill", "stop", "cut", "launcher", "node"])
        kinds[kind] += 1
        if kind == "server":
            server.down()
            server.up()
        elif kind == "disk":
            server.fill()
        elif kind == "cut":
            proxy.cut()
        elif kind in ("launcher", "node"):
            at = draw.randrange(len(launchers))
            assert launchers[at].process.poll() is None, "a launcher ended before it was killed"
            if kind == "launcher":
                launchers[at].kill()
                gone.append(launchers[at])
                # Their workers are not to become so many that the campaign is over soon.
                for orphan in [pid for launcher in gone[:-2] for pid in launcher.members(worker.name)]:
                    signalled(orphan, signal.SIGKILL)
            else:
                launchers[at].kill_all()
            launchers[at] = launch(at)
        else:
            launched = [pid for launcher in launchers + gone for pid in launcher.members(worker.name)]
            at = draw.randrange(len(workers) + len(launched))
            if at >= len(workers):
                # One that its launcher starts again, or that nobody does.
                signalled(launched[at - len(workers)], signal.SIGKILL)
                kinds["stop"] -= kind == "stop"
                kinds["kill"] += kind == "stop"
                continue
            workers[at].send_signal(signal.SIGKILL if kind == "kill" else signal.SIGSTOP)
            if kind == "stop":
                stopped.append(workers[at])
            else:
                workers[at].wait()
            workers[at] = begin(at)
            for late in stopped[:-2]:
                late.send_signal(signal.SIGCONT)
    left = server.sql("kills", "SELECT count(*) FROM program").strip()
    for process in stopped:
        process.send_signal(signal.SIGCONT)
    for process in workers + stopped:
        process.communicate(timeout=600)
    for launcher in launchers:
        launcher.process.wait(timeout=600)
    while any(launcher.members(worker.name) for launcher in gone):
        time.sleep(0.1)
    # Whoever ended for the disk's sake left others to do the rest.
    counted([start(store, programs, 0, 700, 4)])
    same = contents(server, "calm") == contents(server, "kills")
    done = server.sql("kills", "SELECT count(*) FROM program").strip()
    assert int(left) < programs, "the campaign was over before the last kill: the measurement is void"
    print(f"kills: {kinds}, clocks {clocks[0]} and {clocks[1]}, {left} of {programs} programs done at the last; {done} at the end; equal: {same}")
    return kinds, same, clocks[0] is not None


def reduction(server):
    """Seconds, tests and tests by others, by workers."""
    subprocess.run(["cargo", "build", "--quiet", "-p", "plumb", *options], cwd=root, check=True)
    plumb = root / "target" / profile / "plumb"
    room = pathlib.Path(tempfile.mkdtemp(prefix="plumb-fleet."))
    slow = room / "slow-compiler"
    canary = root / "tests/hunt/canaries/crash-message"
    slow.write_text(f'#!/bin/sh\ncase "$*" in *program.c*) sleep 0.5 ;; esac\nexec {shlex.quote(str(canary))} "$@"\n')
    slow.chmod(0o755)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    hunted = server.database("hunted")
    words = ["--levels", "-O2", "--drawn", "0", "--alarms", "1", "--jobs", "1"]
    subprocess.run([plumb, "hunt", "--cc", slow, *words, "--store", hunted], check=False, **quiet)
    # Workers have nothing to do but its candidates.
    server.sql("hunted", "UPDATE lease SET done = true; UPDATE campaign SET total = next")
    figures, programs = {}, set()
    for count in (1, 2, 4, 8):
        # Each as if nobody had reduced it before.
        store = f"reduction{count}"
        server.sql("postgres", f"CREATE DATABASE {store} TEMPLATE hunted")
        place = hunted.removesuffix("hunted") + store
        workers = [subprocess.Popen([plumb, "work", "--jobs", "1", "--store", place], **quiet) for _ in range(count - 1)]
        begun = time.monotonic()
        done = subprocess.run([plumb, "reduce", "--all", "--json", "--jobs", "1", "--store", place], capture_output=True, text=True, check=True)
        took = time.monotonic() - begun
        for process in workers:
            process.send_signal(signal.SIGTERM)
            process.wait()
        result = json.loads(done.stdout.splitlines()[-1])
        programs.add(server.sql(store, "SELECT encode(sha256(bytes), 'hex') FROM finding_file WHERE name = 'reduced/program.c'"))
        figures[count] = took, result["tests"], result["tests_elsewhere"]
        steps = ", ".join(f"{step['what']} {step['tests']} in {step['seconds']:.0f} s" for step in result["steps"])
        print(f"reduction: {count} workers {took:.1f} s ({steps}), {result['tests']} tests, {result['tests_elsewhere']} of them by others than its holder", flush=True)
    shutil.rmtree(room)
    return figures, len(programs) == 1


def record(name, claim, reach, figure):
    if os.environ.get("RECORD") == "1":
        words = [here / "record.py", name, "Fleets", claim, "benches/fleet.py", reach, figure]
        subprocess.run([sys.executable, *words], check=True)


server = Server()
try:
    load = os.getloadavg()[0]
    build = ("debug build, " if profile == "debug" else "") + (f"shared machine with a load of {load:.0f}, " if load > 2 else "")
    if "leases" in parts:
        rates = leases(server)
        record("fleet-leases", "leases taken, and leases finished, a second, PostgreSQL on the same two cores; programs leased in batches of 64",
               "2,000; 20,000", f"{2 * rates['single']:,.0f}; {rates['batched']:,.0f} ({build}four workers; by processor time {2 * rates['single', 'alone']:,.0f}; {rates['batched', 'alone']:,.0f})")
        record("fleet-jobs", "workers with programs of one second that a store carries: programs leased by fours, as a hunt does, and committed a second, a tenth of them with a bug",
               "5,000", f"{rates['committed']:,.0f} ({build}16 workers; by processor time {rates['committed', 'alone']:,.0f})")
    if "scaling" in parts:
        rates, share = scaling(server)
        linear = 100 * rates[32] / (32 * rates[1])
        record("fleet-scaling", "32 workers with programs of one second against one worker", "95 % of linear; store 1 % of their time",
               f"{linear:.1f} % of linear; store {100 * share:.2f} % ({build}1, 2, 4, 8, 32 workers)")
    if "kills" in parts:
        kinds, same, clocks = kills(100)
        what = ", ".join(f"{kinds[kind]} {words}" for kind, words in {
            "kill": "workers killed", "stop": "paused", "launcher": "launchers killed alone", "node": "with all that they started",
            "cut": "cuts", "server": "crashes of the server", "disk": "full disks"}.items())
        record("fleet-kills", "workers killed or stopped past their lease, launchers killed, connections cut by a proxy, the server killed, its disk full, at random, 100 times; two of eight clocks an hour off",
               "the undisturbed run's findings and counts", f"{'equal' if same else 'NOT EQUAL'}: {what}{'' if clocks else '; the clocks were right'}")
    if "reduction" in parts:
        figures, equal = reduction(server)
        same = same and equal
        ratios = "; ".join(f"{figures[1][0] / took:.2f} times with {count}" for count, (took, _, _) in figures.items() if count > 1)
        record("fleet-reduction", "one finding reduced by 1, 2, 4, 8 workers with a compiler that takes 0.5 s more than it does",
               "the same program, sooner", f"{'the same' if equal else 'ANOTHER'} program; {figures[1][0]:.0f} s with one, {ratios} ({build}{figures[8][2]} of {figures[8][1]} tests by others with 8)")
finally:
    server.close()
sys.exit(0 if same else 1)
