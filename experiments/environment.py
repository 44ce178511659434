# SPDX-License-Identifier: MIT
"""The environment that the numbers depend on: machine, compilers, flags, commit, programs.

environment.json holds a list of such records. Each has an id, made of everything
in it but the date; rows of timings name their record by it.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any, Optional

ROOT = Path(__file__).resolve().parent.parent
BUILD_DIGITS = 12
UNKNOWN = "unknown"
FIELDS = ("id", "date", "cpu", "cores", "memory_gib", "os", "kernel", "gpus", "compilers",
          "configuration", "commit", "programs")


def now() -> str:
    """The time in UTC, as in ISO 8601."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def build_id(program: Path) -> str:
    """The id of a program's build: the start of its file's SHA-256."""
    return hashlib.sha256(program.read_bytes()).hexdigest()[:BUILD_DIGITS]


def _output(*command: str) -> str:
    """A command's standard output; "" if it is absent or fails."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              stdin=subprocess.DEVNULL, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.decode(errors="replace") if done.returncode == 0 else ""


def _field(path: str, key: str, separator: str) -> Optional[str]:
    """The first `key separator value` of a file such as /proc/cpuinfo."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    for line in text.splitlines():
        name, found, value = line.partition(separator)
        if found and name.strip() == key:
            return value.strip().strip('"')
    return None


def cpu_model() -> str:
    return (_field("/proc/cpuinfo", "model name", ":") or platform.processor()
            or platform.machine() or UNKNOWN)


def commit() -> str:
    """The commit that is checked out, "-dirty" added if files differ from it. A copy of
    the tree without git can be told by the environment variable APSP_COMMIT."""
    told = os.environ.get("APSP_COMMIT")
    if told:
        return told
    top = _output("git", "-C", str(ROOT), "rev-parse", "--show-toplevel").strip()
    if not top or Path(top).resolve() != ROOT:
        return UNKNOWN
    head = _output("git", "-C", str(ROOT), "rev-parse", "--short=12", "HEAD").strip()
    if not head:
        return UNKNOWN
    dirty = _output("git", "-C", str(ROOT), "status", "--porcelain").strip()
    return head + ("-dirty" if dirty else "")


def _gpus() -> list[dict[str, str]]:
    listing = _output("nvidia-smi", "--query-gpu=name,driver_version,memory.total",
                      "--format=csv,noheader")
    fields = (line.split(", ") for line in listing.splitlines())
    return [dict(zip(("name", "driver", "memory"), gpu)) for gpu in fields if len(gpu) == 3]


def _first_line(text: str) -> Optional[str]:
    return text.splitlines()[0].strip() if text.strip() else None


def _compilers(configuration: Optional[str]) -> dict[str, Optional[str]]:
    # The configuration that the Makefile records starts with CC.
    compiler = configuration.split()[0] if configuration else "cc"
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    release = [line.strip() for line in _output(nvcc, "--version").splitlines()
               if "release" in line]
    return {"cc": _first_line(_output(compiler, "--version")),
            "nvcc": release[0] if release else None}


def _configuration(bin_dir: Path) -> Optional[str]:
    try:
        text = (bin_dir / ".configuration").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return " ".join(text.split()) or None


def collect(bin_dir: Path, programs: dict[str, dict[str, Optional[str]]]) -> dict[str, Any]:
    """The record of this machine and these programs: name -> build, and as
    "unavailable" the reason why the machine cannot run it, or None."""
    configuration = _configuration(bin_dir)
    memory = _field("/proc/meminfo", "MemTotal", ":")
    record: dict[str, Any] = {
        "cpu": cpu_model(),
        "cores": os.cpu_count(),
        "memory_gib": round(int(memory.split()[0]) / 2**20, 1) if memory else None,
        "os": _field("/etc/os-release", "PRETTY_NAME", "=") or platform.system(),
        "kernel": platform.release(),
        "gpus": _gpus(),
        "compilers": _compilers(configuration),
        "configuration": configuration,
        "commit": commit(),
        "programs": programs,
    }
    identity = json.dumps(record, sort_keys=True).encode()
    return {"id": hashlib.sha256(identity).hexdigest()[:BUILD_DIGITS], "date": now(), **record}


def load(path: Path) -> list[dict[str, Any]]:
    """The records in the file; [] if there is none."""
    if not path.exists():
        return []
    try:
        records = list(json.loads(path.read_text(encoding="utf-8"))["environments"])
        missing = [name for record in records for name in FIELDS if name not in record]
    except (ValueError, KeyError, TypeError) as error:
        raise ValueError(f"{path}: expected {{\"environments\": [...]}}: {error}") from None
    if missing:
        raise ValueError(f"{path}: expected a field '{missing[0]}' in every environment")
    return records


def remember(path: Path, record: dict[str, Any]) -> None:
    """Adds the record, in place of an older one with the same id."""
    records = [known for known in load(path) if known["id"] != record["id"]]
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(json.dumps({"environments": records + [record]}, indent=2) + "\n",
                         encoding="utf-8")
    os.replace(temporary, path)
