"""Wrong recipes: exit status 2, file, line and column, and the nearest key; wrong command lines."""

import os
import unittest

from support import Program


class Recipes(Program):
    def change(self, before, after):
        """recipe.yaml with one text replaced; returns the line and column of the change."""
        self.setUp()
        text = self.read("recipe.yaml").decode()
        self.assertEqual(text.count(before), 1)
        head = text[:text.index(before)]
        self.write("recipe.yaml", text.replace(before, after).encode())
        return head.count("\n") + 1, len(head) - head.rfind("\n")

    def assert_refused(self, before, after, *texts):
        line, column = self.change(before, after)
        done = self.train()
        self.assert_user_error(done, *texts)
        self.assertIn(f"recipe.yaml:{line}:{column}:", done.stderr)
        self.assertFalse(os.path.exists(self.path("run")))

    def test_misspelt_keys_get_the_nearest(self):
        self.assert_refused("batch_tokens", "batch_tokns", "did you mean 'batch_tokens'")
        self.assert_refused("validation:", "validaton:", "did you mean 'validation'")

    def test_misplaced_keys_are_told_where_they_belong(self):
        self.assert_refused("log_every: 5", "suppress_unknown: true",
                            "it belongs in 'decoding'")

    def test_duplicate_keys_are_refused(self):
        self.assert_refused("log_every: 5", "threads: 5", "given twice", "line")

    def test_wrong_types_and_values_are_refused(self):
        line, _ = self.change("threads: 1", "threads: two")
        done = self.train()
        self.assert_user_error(done, "'training.threads' must be a whole number")
        self.assertIn(f"recipe.yaml:{line}:", done.stderr)
        self.change("heads: 2", "heads: 3")
        self.assert_user_error(self.train(), "model.heads")

    def test_every_fault_is_told_at_once(self):
        self.change("batch_tokens", "batch_tokns")
        self.write("recipe.yaml", self.read("recipe.yaml") + b"sede: 2\n")
        self.assert_user_error(self.train(), "batch_tokns", "did you mean 'seed'")

    def test_recipes_that_are_none_are_named(self):
        self.assert_user_error(self.heed("train", "nowhere.yaml"), "nowhere.yaml: no such file")
        self.assert_user_error(self.heed("train", "."), "folder")
        self.assert_user_error(self.heed("train", "train.en"), "train.en:1")
        self.write("nul.yaml", b"seed: 1\0\n")
        self.assert_user_error(self.heed("train", "nul.yaml"), "nul.yaml:1:8")
        self.assert_user_error(self.train("trainning.seed=1"), "command line", "did you mean")

    def test_wrong_command_lines_have_status_2(self):
        for arguments in ([], ["trian"], ["train"], ["train", "recipe.yaml", "--nonsense"]):
            self.assertEqual(self.heed(*arguments).returncode, 2, arguments)
        for arguments in (["--help"], ["--version"], ["train", "--help"]):
            self.assert_works(self.heed(*arguments))


if __name__ == "__main__":
    unittest.main()
