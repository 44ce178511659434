# SPDX-License-Identifier: MIT
"""The hook that hatchling calls before it packs the package: make builds the library, for as many
threads as there are, as it was built last or as make's variables in the environment say: CUDA=0 pip
install .
"""

import os
import shutil
import subprocess
import sys
import sysconfig

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

LIBRARIES = "build/wheel"  # folder in which `make python-wheel-library` leaves the library


class Hook(BuildHookInterface):

    def make(self, target):
        make = os.environ.get("MAKE", "make")
        if shutil.which(make) is None:
            sys.exit("apsp: building the library needs make, a C compiler and zlib: make is not there")
        jobs = len(os.sched_getaffinity(0))
        command = [make, "--no-print-directory", "-C", self.root, "-j%d" % jobs, target]
        if subprocess.run(command, check=False, stdin=subprocess.DEVNULL).returncode != 0:
            sys.exit("apsp: make failed, see above: it needs a C compiler and zlib "
                     "(common/install_deps.sh build installs them on Debian)")

    def initialize(self, version, build_data):
        # An editable package finds the library in lib/ of its tree.
        if version == "editable":
            self.make("python-library")
            return
        self.make("python-wheel-library")
        build_data["force_include"][os.path.join(self.root, LIBRARIES)] = "apsp"
        build_data["pure_python"] = False
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        build_data["tag"] = "py3-none-" + platform
