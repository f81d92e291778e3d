"""Nothing is lost: a run that is interrupted at any moment, in any way, and started again ends in
the same bytes as one that never was.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import time
import unittest

from support import Program

_LONG = ("training.stop.updates=600", "training.accumulate=2", "validation.every=60",
         "training.checkpoints.every=20")


class Interruptions(Program):
    def last(self, run):
        """The files of the last checkpoint, without what time and the run's name decide."""
        files = {}
        for name in os.listdir(self.path(run, "last")):
            if name not in ("manifest.json", "recipe.yaml"):
                files[name] = self.read(run, "last", name)
        state = json.loads(files.pop("state.json"))
        for key in ("seconds", "recipe_fingerprint"):
            state.pop(key)
        for record in state["validations"]:
            record.pop("seconds")
        return files, state

    def assert_same_end(self, run, other):
        files, state = self.last(run)
        other_files, other_state = self.last(other)
        self.assertEqual(state, other_state)
        self.assertEqual(sorted(files), sorted(other_files))
        for name, content in files.items():
            self.assertTrue(content == other_files[name], name)

    def start(self, *settings):
        return subprocess.Popen(self.command("train", "recipe.yaml", settings=settings),
                                cwd=self.folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE)

    def test_kills_and_signals_at_random_moments_lose_nothing(self):
        begin = time.monotonic()
        self.assert_works(self.train("output=whole", *_LONG))
        whole_time = time.monotonic() - begin
        draw = random.Random(5)
        statuses = {}
        for attempt in range(1000):
            process = self.start("output=parts", *_LONG)
            # Some come while the data is prepared or the model built, most while it trains. Later
            # attempts wait longer, so that a slow machine gets to the end too.
            time.sleep(draw.expovariate(1 / (0.25 * whole_time)) * (1 + attempt / 20))
            process.send_signal(draw.choice([signal.SIGKILL] * 3 + [signal.SIGTERM, signal.SIGINT,
                                                                     signal.SIGHUP]))
            _, message = process.communicate(timeout=120)
            statuses[process.returncode] = statuses.get(process.returncode, 0) + 1
            if process.returncode == 0:
                break
            self.assertIn(process.returncode,
                          (-9, -15, -2, -1, 128 + 15, 128 + 2, 128 + 1), message)
        self.assertEqual(statuses.get(0), 1, statuses)
        self.assert_same_end("whole", "parts")
        validations = [[(line["update"], line["bleu"], line["nll"])
                        for line in self.metrics(run) if line["kind"] == "valid"]
                       for run in ("whole", "parts")]
        self.assertEqual(*validations)
        updates = [line["update"] for line in self.metrics("parts") if line["kind"] == "train"]
        self.assertEqual(updates, sorted(set(updates)))
        leftovers = [name for _, folders, files in os.walk(self.path("parts"))
                     for name in folders + files if name.startswith(".tmp-")]
        self.assertEqual(leftovers, [])

    def test_signals_save_and_leave_within_seconds(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = self.start("training.stop.updates=10000000", "training.checkpoints.every="
                                 "10000000", "validation.every=10000000")
            self.assertIn(b"update", self.wait_for_line(process, b"] update"))
            process.send_signal(number)
            _, rest = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number)
            self.assertIn(b"stopped by a signal at update", rest)
        self.assertGreater(self.last("run")[1]["update"], 0)

    def wait_for_line(self, process, text):
        for line in process.stderr:
            if text in line:
                return line
        return b""

    def test_a_second_process_in_the_same_run_is_refused(self):
        process = self.start("training.stop.updates=10000000")
        self.wait_for_line(process, b"] saved")
        self.assert_user_error(self.train(), "is locked by another process", "output")
        self.assert_works(self.heed("translate", "--model", "run", text=b"one two\n"))
        process.kill()
        process.communicate()
        self.assert_works(self.train("training.stop.updates=1"))  # the lock went with its process

    def test_any_damaged_file_of_the_newest_checkpoint_means_the_one_before(self):
        self.assert_works(self.train())
        shutil.copytree(self.path("run"), self.path("kept"), symlinks=True)
        newest = os.path.join("checkpoints", "update-00000020")
        damages = (lambda data: data[:len(data) // 2], lambda data: b"",
                   lambda data: data[:100] + bytes([data[100] ^ 4]) + data[101:])
        for number, name in enumerate(sorted(os.listdir(self.path("kept", newest)))):
            shutil.rmtree(self.path("run"))
            shutil.copytree(self.path("kept"), self.path("run"), symlinks=True)
            damage = damages[number % len(damages)]
            self.write(os.path.join("run", newest, name),
                       damage(self.read("kept", newest, name)))
            done = self.assert_works(self.train())
            self.assertIn("update-00000020 is broken", done.stderr, name)
            self.assertIn("going back to checkpoint run/checkpoints/update-00000014", done.stderr)
            self.assert_same_end("run", "kept")
            self.assertTrue(os.path.isdir(self.path("run", "checkpoints",
                                                    "broken-update-00000020")))
        for name in os.listdir(self.path("run", "checkpoints")):
            if name.startswith("update-"):
                os.truncate(self.path("run", "checkpoints", name, "model.safetensors"), 100)
        self.assert_user_error(self.train("training.stop.updates=30"), "is intact")

    def test_damaged_prepared_data_is_made_again(self):
        self.assert_works(self.train("training.stop.updates=10"))
        shutil.copytree(self.path("run"), self.path("kept"), symlinks=True)
        self.assert_works(self.train("output=kept"))
        os.truncate(self.path("run", "data", "train.0.shard"), 5000)
        self.assert_works(self.train("training.stop.updates=13"))
        os.truncate(self.path("run", "data", "vocabulary.model"), 50)
        self.assert_works(self.train("training.stop.updates=15"))
        self.write(os.path.join("run", "data", "prepared.json"), b'{"format": 2}')
        self.write(os.path.join("run", "metrics.jsonl"), b'{"update":"a"}\n\0\xff\n')
        self.assert_works(self.train())
        self.assertEqual(self.last("run")[0], self.last("kept")[0])

    def test_what_may_not_change_is_refused_and_what_may_is_told(self):
        self.assert_works(self.train())
        more = "training.stop.updates=25"
        self.assert_user_error(self.train(more, "model.heads=4"), "model.heads: 2 -> 4")
        self.assert_user_error(self.train(more, "seed=2"), "seed: 1 -> 2")
        self.assert_user_error(self.train(more, "vocabulary.size=40"), "another vocabulary")
        self.assert_user_error(self.train(more, "data.filters.max_length=4"),
                               "position in the data")
        done = self.assert_works(self.train(more, "training.batch_tokens=400"))
        self.assertIn("training.batch_tokens: 300 -> 400 (the new value is used)", done.stderr)
        done = self.assert_works(self.train(more))
        self.assertIn("nothing is left to do", done.stderr)


if __name__ == "__main__":
    unittest.main()
