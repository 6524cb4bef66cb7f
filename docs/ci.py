#!/usr/bin/env python3
"""Tells a code review what the verdict of a report says: ci.py REPORT.json

One line for each row beyond a limit, as GitHub's annotations have it. Names come from a program, so a line end in one must not
begin another annotation.
"""

import json
import sys

with open(sys.argv[1], encoding='utf-8') as file:
    report = json.load(file)
for offender in report['verdict']['offenders']:
    name = ' '.join(offender['name'].replace('%', '%25').split())
    amount = offender.get('growth', offender.get('value'))
    print(f"::error title=memory::{name}: {amount} {report['unit']}, {offender['option']}")
