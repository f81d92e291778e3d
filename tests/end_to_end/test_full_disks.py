"""Full and read-only disks, closed streams: a message with the path and the free space, and the
checkpoints that are there stay whole.
"""

import os
import subprocess
import unittest

from support import HEED, Program


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


class FullDisks(Program):
    def setUp(self):
        super().setUp()
        self.disk = self.path("disk")
        os.mkdir(self.disk)
        if run("mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", self.disk).returncode != 0:
            self.skipTest("only root can mount a small disk")
        self.addCleanup(run, "umount", self.disk)

    def resize(self, size):
        self.assertEqual(run("mount", "-o", f"remount,{size}", self.disk).returncode, 0)

    def used(self):
        return sum(os.lstat(os.path.join(folder, name)).st_blocks * 512
                   for folder, _, names in os.walk(self.disk) for name in names)

    def test_training_survives_a_disk_that_is_full_for_a_while(self):
        self.assert_works(self.train("output=disk/run", "training.stop.updates=7"))
        self.resize(f"size={self.used() // 1024 + 100}k")
        done = self.train("output=disk/run", "training.stop.updates=20")
        self.assert_user_error(done, "update 20 needs", "disk/run", "are free")
        self.assertIn("training goes on", done.stderr)
        self.assertEqual(os.readlink(self.path("disk", "run", "last")),
                         "checkpoints/update-00000007")
        self.assert_works(self.heed("translate", "--model", "disk/run", text=b"one\n"))
        self.resize("size=8m")
        done = self.assert_works(self.train("output=disk/run"))
        self.assertIn("going on from disk/run/checkpoints/update-00000007", done.stderr)

    def test_preparation_on_a_full_disk_leaves_nothing_half_done(self):
        self.resize("size=20k")
        self.assert_user_error(self.train("output=disk/run"), "disk/run/data", "No space left")
        self.assertEqual([name for name in os.listdir(self.path("disk", "run", "data"))
                          if name != "prepare.lock"], [])
        self.resize("size=8m")
        self.assert_works(self.train("output=disk/run"))

    def test_a_read_only_run_can_be_read_and_not_trained(self):
        self.assert_works(self.train("output=disk/run"))
        self.resize("ro")
        self.assert_user_error(self.train("output=disk/run"), "disk/run", "Read-only")
        self.assert_user_error(self.train("output=disk/new"), "disk/new", "Read-only")
        self.assert_works(self.heed("translate", "--model", "disk/run", text=b"one\n"))
        self.assert_works(self.heed("inspect", "disk/run"))
        self.assert_user_error(
            self.heed("evaluate", "recipe.yaml", "--model", "disk/run", "--output", "disk/out"),
            "disk/out")


class ClosedStreams(Program):
    def test_nothing_is_written_into_files_that_take_the_place_of_closed_streams(self):
        done = subprocess.run(["sh", "-c", f"{HEED} train recipe.yaml <&- >&- 2>&-"],
                              cwd=self.folder, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(self.read("run", ".lock"), b"")
        for folder, _, names in os.walk(self.path("run")):
            for name in names:
                self.assertNotIn(b"] update 5/20", self.read(folder, name), name)


class FullOutput(Program):
    def test_output_that_cannot_be_written_is_an_error(self):
        self.assert_works(self.train("training.stop.updates=1"))
        for arguments in (["translate", "--model", "run", "test.en"],
                          ["score", "--model", "run", "test.en", "test.de"],
                          ["evaluate", "recipe.yaml", "--model", "run"], ["inspect", "run"],
                          ["help", "recipe"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([HEED, *arguments], stdout=full, stderr=subprocess.PIPE,
                                      cwd=self.folder, check=False)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(b"standard output", done.stderr)


if __name__ == "__main__":
    unittest.main()
