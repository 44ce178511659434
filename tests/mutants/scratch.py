# SPDX-License-Identifier: MIT
"""Copies of the tree to break things in."""

import os
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILT = "build/mutants-nocuda"


def copy_tree(folder):
    """Copies the files that git knows of or would add."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if os.path.exists(os.path.join(ROOT, name)):
            os.makedirs(os.path.join(folder, os.path.dirname(name)), exist_ok=True)
            shutil.copy2(os.path.join(ROOT, name), os.path.join(folder, name))


def copy_built(folder, program):
    """With the objects that `program`, build/CONFIGURATION/..., was linked from."""
    copy_tree(folder)
    built = os.path.join(*program.split("/")[:2])
    shutil.copytree(os.path.join(ROOT, built), os.path.join(folder, built), dirs_exist_ok=True)


def replaced(text, old, new, where):
    """The text with `new` in the one place where `old` stands."""
    if text.count(old) != 1:
        raise ValueError("%s: expected once, found %d times: %s" % (where, text.count(old), old))
    return text.replace(old, new)


def make(folder, target, *settings):
    """Returns what the compiler said if it fails, otherwise None."""
    done = subprocess.run(["make", "--no-print-directory", *settings, target], cwd=folder,
                          check=False, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    return None if done.returncode == 0 else done.stderr


def build(folder, program):
    """Compiling takes longer than most tests: -O1 is the best of both."""
    return make(folder, os.path.join(BUILT, program), "-j1", "CUDA=0", "BUILD=mutants",
                "CFLAGS=-O1", "CXXFLAGS=-O1")
