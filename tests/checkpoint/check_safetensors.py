#!/usr/bin/env python3
"""Reads a file that safetensors_writer_test.cc wrote with the safetensors library and writes one back.

usage: check_safetensors.py OURS THEIRS    exit 77 if the library is missing, 1 if a value is wrong
"""
import sys

try:
    import numpy
    from safetensors import safe_open
    from safetensors.numpy import save_file
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

ours, theirs = sys.argv[1:]
with safe_open(ours, framework="numpy") as opened:
    metadata = opened.metadata()
    tensors = {name: opened.get_tensor(name) for name in opened.keys()}

expected = {
    "floats": numpy.array([[1.5, -0.0, 3e-45], [4, 5, 6]], numpy.float32),
    "doubles": numpy.array([0.1, -1e300], numpy.float64),
    "integers": numpy.array([[-1], [0], [2147483647]], numpy.int32),
    "count": numpy.array(2**60, numpy.int64),
}
faults = [f"metadata: {metadata}"] if metadata != {"format": "pt", "update": "12"} else []
if sorted(tensors) != sorted(expected):
    faults.append(f"tensors: {sorted(tensors)}")
for name, value in expected.items():
    got = tensors.get(name)
    if got is None or got.dtype != value.dtype or got.shape != value.shape or got.tobytes() != value.tobytes():
        faults.append(f"{name}: {got!r}, not {value!r}")

tensors["half"] = numpy.array([1, 2, 3], numpy.float16)
tensors["empty"] = numpy.zeros((0, 4), numpy.float32)
save_file(tensors, theirs, metadata={"from": "python"})
print("\n".join(faults) or "every tensor is equal")
sys.exit(bool(faults))
