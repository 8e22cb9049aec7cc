"""Reads pages with WebSearcher. Each line of the input is a JSON list: the path of a page, and how many times to read it.

Answers each with a line: milliseconds of processor time for one reading, or -1 if WebSearcher raises an error."""

import json
import logging
import sys
import time

import WebSearcher

logging.disable(logging.CRITICAL)


def text_of(path):
    with open(path, "rb") as file:
        content = file.read()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("windows-1252", errors="replace")


texts = {}
for line in sys.stdin:
    path, repeats = json.loads(line)
    if path not in texts:
        texts[path] = text_of(path)
    start = time.process_time()
    try:
        for _ in range(repeats):
            WebSearcher.parse_serp(texts[path])
        spent = (time.process_time() - start) * 1000 / repeats
    except Exception:
        spent = -1
    print(spent, flush=True)
