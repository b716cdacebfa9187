#!/usr/bin/env python3
"""From nothing to a running Slurm campaign: the page of docs/fleet.md, command by command, in a fresh Debian 12.

usage: benches/fleet-page.py [--keep DIR]

Makes a root file system with `debootstrap` (as root, with a network; --keep DIR has it there, and takes it from there if it is
there), and in it, in namespaces of its own (mounts, processes, a network with nothing but itself), what the page takes for
granted: Slurm on one node, `ssh`, a user with a home directory. Then it runs the page's blocks as they stand, the first as root and
the others as that user. What differs from a machine, and nothing else:
  - packages are fetched before, as there is no network, and installed by the page's own commands;
  - there is no systemd: Debian's init scripts start what is installed, and `systemctl restart postgresql` asks them;
  - the password is typed by this script, and `tail -f` is ended after some seconds;
  - the program is the one in target/release (PLUMB_PROFILE=debug: target/debug), which the page says how to build;
  - the node says that it has 8 processors and 16 GB, whatever it has.
It fails if a command fails, or no task of the array works on the campaign. RECORD=1 writes the figure.
"""
import os, pathlib, re, shutil, subprocess, sys, tempfile, time

here = pathlib.Path(__file__).resolve().parent
root = here.parent
profile = os.environ.get("PLUMB_PROFILE", "release")
plumb = root / "target" / profile / "plumb"
keep = pathlib.Path(sys.argv[sys.argv.index("--keep") + 1]) if "--keep" in sys.argv else None
BEFORE = ["munge", "slurmctld", "slurmd", "slurm-client", "openssh-server", "openssh-client", "iproute2"]
PAGE = ["postgresql", "gcc", "libc6-dev"]

# What the page takes for granted: a network of nodes, of which this is one, with Slurm and home directories.
CLUSTER = r"""
set -eux
export DEBIAN_FRONTEND=noninteractive
mount -t proc proc /proc; mount -t tmpfs tmpfs /dev/shm; mount -t tmpfs tmpfs /run
hostname node1
printf '127.0.0.1 localhost\n10.0.0.1 db node1\n' >/etc/hosts
printf '#!/bin/sh\nexec service "$2" "$1"\n' >/usr/local/bin/systemctl; chmod +x /usr/local/bin/systemctl
apt-get install --yes --no-download --no-install-recommends BEFORE >/dev/null
ip link set lo up; ip addr add 10.0.0.1/8 dev lo
cat >/etc/slurm/slurm.conf <<'END'
ClusterName=fresh
SlurmctldHost=node1
SlurmUser=slurm
AuthType=auth/munge
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdLogFile=/var/log/slurm/slurmd.log
SlurmctldLogFile=/var/log/slurm/slurmctld.log
NodeName=node1 CPUs=8 RealMemory=16384 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
install -d -o slurm /var/lib/slurm/slurmctld /var/lib/slurm/slurmd /var/log/slurm /run/munge; chown munge: /run/munge
runuser -u munge -- munged
slurmctld
slurmd || { cat /var/log/slurm/slurmd.log; false; }
install -d /run/sshd; /usr/sbin/sshd
useradd --create-home --shell /bin/bash me
runuser -u me -- sh -c 'umask 077; mkdir ~/.ssh; ssh-keygen -q -t ed25519 -N "" -f ~/.ssh/id_ed25519; cp ~/.ssh/id_ed25519.pub ~/.ssh/authorized_keys
  ssh-keyscan db 2>/dev/null >~/.ssh/known_hosts'
# As systemd would: services of packages that are installed from now on are started.
printf '#!/bin/sh\nexit 0\n' >/usr/sbin/policy-rc.d; chmod +x /usr/sbin/policy-rc.d
for second in $(seq 60); do sinfo -h -o %T | grep -q idle && break; sleep 1; done
sinfo -h -o %T | grep -q idle
"""


def page():
    """The blocks of commands of the page, in order."""
    text = (root / "docs" / "fleet.md").read_text()
    part = text.split("### From nothing to a running Slurm campaign")[1].split("\n## ")[0]
    blocks = [re.sub(r"^   ", "", block, flags=re.M) for block in re.findall(r"```sh\n(.*?)```", part, flags=re.S)]
    assert len(blocks) == 3, f"{len(blocks)} blocks where three are known: as root, and as a user two"
    inline = re.search(r"`(apt-get install [^`]*)` there", part)
    assert inline, "the page no longer says how compilers are installed"
    return blocks, inline.group(1)


def script(blocks, compilers):
    database, program, campaign = blocks
    noisy = "export DEBIAN_FRONTEND=noninteractive; set -eux\n"
    campaign = campaign.replace("tail -f plumb-work", "timeout 20 tail -f plumb-work") \
        .replace("squeue --me;", "sleep 10; squeue --me;")
    campaign = campaign.replace("-*_1.log", "-*_1.log || [ $? = 124 ]")
    return [
        ("cluster", "root", CLUSTER.replace("BEFORE", " ".join(BEFORE))),
        ("database", "root", noisy + database),
        ("compilers", "root", noisy + compilers.replace("install", "install --yes") + "\n"),
        ("program and campaign", "me", "set -eux\ncd ~/plumb\n" + program + campaign),
        ("what it came to", "root", "set -eu\ngrep 'works on campaign 1' /home/me/plumb/plumb-work-*_1.log\n"
         "count() { runuser -u postgres -- psql -AtX plumb -c 'SELECT count(*) FROM program'; }\n"
         "before=$(count); sleep 15; after=$(count); echo PROGRAMS $before $after; [ $after -gt $before ]\nscancel --user me\n"),
    ]


def prepared(target):
    """A fresh Debian, and the packages that will be installed there, not yet installed."""
    if not (target / "var" / "lib" / "dpkg" / "status").exists():
        subprocess.run(["debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", target], check=True, stdout=subprocess.DEVNULL)
    shutil.copy("/etc/resolv.conf", target / "etc" / "resolv.conf")
    fetch = "apt-get update --quiet=2 && apt-get install --yes --quiet=2 --download-only --no-install-recommends {} && apt-get install --yes --quiet=2 --download-only {}"
    subprocess.run(["chroot", target, "sh", "-c", fetch.format(" ".join(BEFORE), " ".join(PAGE))], check=True, stdout=subprocess.DEVNULL)


def main():
    blocks, compilers = page()
    if os.geteuid() != 0 or not plumb.is_file():
        sys.exit(f"fleet-page.py: it needs to be root, and {plumb}")
    base = keep or pathlib.Path(tempfile.mkdtemp(prefix="plumb-fresh."))
    prepared(base)
    fresh = pathlib.Path(tempfile.mkdtemp(prefix="plumb-fresh-try.")) if keep else base
    if keep:
        subprocess.run(["cp", "-a", f"{keep}/.", fresh], check=True)
    try:
        steps = script(blocks, compilers)
        lines = ["set -e", "mount --make-rprivate /", f"mount --rbind /dev {fresh}/dev", f"mount --rbind /sys {fresh}/sys"]
        for number, (name, user, text) in enumerate(steps):
            (fresh / f"step{number}").write_text(text)
            shell = f"bash /step{number}" if user == "root" else f"runuser -l {user} -c 'bash /step{number}'"
            if name == "program and campaign":
                lines.append(f"mkdir -p {fresh}/home/me/plumb/target/release && cp {plumb} {fresh}/home/me/plumb/target/release/plumb "
                             f"&& cp -r {root}/deploy {fresh}/home/me/plumb && chroot {fresh} chown -R me: /home/me/plumb")
            lines.append(f"echo '== {name}'; date +%s >{fresh}/begun{number}")
            typed = "printf 'PASSWORD\\nPASSWORD\\n' | " if name == "database" else ""
            lines.append(f"{typed}chroot {fresh} {shell}")
        lines.append(f"date +%s >{fresh}/ended")
        # A session without a terminal: `psql` then reads a password from its input.
        command = ["setsid", "--wait", "unshare", "--mount", "--pid", "--fork", "--kill-child", "--net", "--uts", "sh", "-c", "\n".join(lines)]
        done = subprocess.run(command, stdin=subprocess.DEVNULL, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=1500)
        print(done.stdout)
        if done.returncode != 0:
            sys.exit(f"fleet-page.py: a command failed ({done.returncode})")
        moment = lambda name: int((fresh / name).read_text())
        taken = moment("ended") - moment("begun1")
        counts = re.search(r"^PROGRAMS (\d+) (\d+)$", done.stdout, flags=re.M).groups()
        commands = sum(len(re.findall(r"^\S.*(?<!\\)$", block, flags=re.M)) for block in blocks)
        print(f"fresh machine: {commands} command lines in {taken} s; {counts[0]} programs tested, {counts[1]} after 15 s more")
        if os.environ.get("RECORD") == "1":
            words = ["fleet-page", "Fleets", "from nothing to a running Slurm campaign: the page of docs/fleet.md, command by command, in a fresh Debian 12",
                     "benches/fleet-page.py", "one page, tried in a fresh machine",
                     f"{commands} command lines in {taken} s, of which the first hunt's minute; an array's task works on it"]
            subprocess.run([sys.executable, here / "record.py", *words], check=True)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


main()
