#!/usr/bin/env python3
"""Prints the curves of an event file as TensorBoard itself reads them.

usage: check_tensorboard.py FILE    one line per point, "tag step value"; exit 77 if the package is missing
"""
import sys

try:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

events = EventAccumulator(sys.argv[1])
events.Reload()
for tag in events.Tags()["scalars"]:
    for point in events.Scalars(tag):
        print(tag, point.step, point.value)
