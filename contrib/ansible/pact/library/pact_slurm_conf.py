#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""pact_slurm_conf: puts Pact's plugins into slurm.conf, and takes them out again.

Three keys are looked at, each on a line of its own: SchedulerType, SchedulerParameters, JobSubmitPlugins.
Their values are changed in place; what is missing is added at the end. All other bytes stay. The file as it was
lies beside it, as NAME.before-pact, from the first change until it is put back. Putting back restores these lines,
and the whole file where nothing else has changed since.
"""

import glob
import os
import re
import shutil

from ansible.module_utils.basic import AnsibleModule

KEYS = ("SchedulerType", "SchedulerParameters", "JobSubmitPlugins")
USUAL_DIRS = ("/usr/lib64/slurm", "/usr/lib/*/slurm-wlm", "/usr/lib/*/slurm", "/usr/lib/slurm", "/usr/local/lib/slurm")
ADDED = "# Added for Pact; see pact.conf."


class Refused(Exception):
    """What is told to the user instead of a change."""


# Latin-1 takes every byte and gives it back.
def read(path):
    try:
        with open(path, encoding="latin-1", newline="") as f:
            return f.read()
    except OSError as e:
        raise Refused("%s: %s" % (path, e.strerror)) from e


def line_of(key, lines):
    """The number of the line that has the key, or None."""
    mine = [n for n, line in enumerate(lines) if re.match(r"[ \t]*%s[ \t]*=" % key, line, re.I)]
    others = [line for n, line in enumerate(lines) if n not in mine and
              re.match(r"[^#]*[ \t]%s[ \t]*=" % key, line, re.I)]
    if others or len(mine) > 1:
        raise Refused("%s is there more than once, or on a line with others: edit that by hand first" % key)
    if mine and lines[mine[0]].rstrip("\r\n").endswith("\\"):
        raise Refused("the line of %s is continued on the next: edit that by hand first" % key)
    return mine[0] if mine else None


def value_of(line):
    """What is before the value, the value, and what is behind it."""
    return re.match(r"""([^=]*=[ \t]*"?)([^\s"#]*)("?.*)""", line, re.S).groups()


def look_into_includes(path, lines):
    for line in lines:
        named = re.match(r"[ \t]*include[ \t]+(\S+)", line, re.I)
        if not named:
            continue
        included = os.path.join(os.path.dirname(path), named.group(1))
        if os.path.exists(included):
            for key in KEYS:
                if re.search(r"^[^#\n]*\b%s[ \t]*=" % key, read(included), re.I | re.M):
                    raise Refused("%s is in %s: name that file instead of %s" % (key, included, path))


def wanted(key, value, scheduler):
    words = [word for word in value.split(",") if word]
    if key == "SchedulerType":
        return "sched/" + scheduler
    if key == "JobSubmitPlugins":
        # Last: what it promises is what the others have made of the job.
        return value if "deadline" in words or "job_submit/deadline" in words else ",".join(words + ["deadline"])
    intervals = [word for word in words if word.lower().startswith("sched_interval=")]
    if intervals == ["sched_interval=-1"] and "defer" in words:
        return value
    words = [word for word in words if word not in intervals and word != "defer"]
    return ",".join(["sched_interval=-1", "defer"] + words)


def put_in(path, text, scheduler):
    lines = text.splitlines(keepends=True)
    look_into_includes(path, lines)
    added = []
    for key in KEYS:
        n = line_of(key, lines)
        if n is None:
            added.append("%s=%s\n" % (key, wanted(key, "", scheduler)))
        else:
            before, value, behind = value_of(lines[n])
            lines[n] = before + wanted(key, value, scheduler) + behind
    if added:
        if lines and not lines[-1].endswith("\n"):
            lines[-1] += "\n"
        lines += [ADDED + "\n"] + added
    return "".join(lines)


def take_out(text, original):
    """The three lines as they are in the original; all that has been changed elsewhere stays."""
    lines, old = text.splitlines(keepends=True), original.splitlines(keepends=True)
    for key in KEYS:
        n, o = line_of(key, lines), line_of(key, old)
        if n is not None and o is not None:
            lines[n] = old[o]
        elif n is not None:
            del lines[n]
        elif o is not None:
            lines.append(old[o])
    out = "".join(line for line in lines if line.rstrip("\r\n") != ADDED)
    # The end of the last line may have been added.
    return original if out in (original, original + "\n") else out


def names_pact(text):
    lines = text.splitlines()
    scheduler, submit = line_of("SchedulerType", lines), line_of("JobSubmitPlugins", lines)
    return (scheduler is not None and re.search(r"=\s*\"?(sched/)?(qops|dynp)\b", lines[scheduler])) or \
        (submit is not None and re.search(r"\bdeadline\b", value_of(lines[submit])[1]))


def check_plugins(text, dirs, scheduler):
    if not dirs:
        lines = text.splitlines()
        n = line_of("PluginDir", lines)
        dirs = value_of(lines[n])[1].split(":") if n is not None else [d for u in USUAL_DIRS for d in glob.glob(u)]
    for name in ("job_submit_deadline.so", "sched_%s.so" % scheduler):
        if not any(os.access(os.path.join(d, name), os.R_OK) for d in dirs):
            raise Refused("%s is in none of %s: slurmctld would not start; install it first" % (name, ", ".join(dirs)))


def store(module, text, backup):
    """Checked, then moved into place: slurmctld never sees a part of it. Before that the old one is kept."""
    path = os.path.realpath(module.params["path"])
    new = os.path.join(os.path.dirname(path), ".%s.pact-%d" % (os.path.basename(path), os.getpid()))
    try:
        shutil.copy2(path, new)
        with open(new, "w", encoding="latin-1", newline="") as f:
            f.write(text)
        if module.params["validate"]:
            rc, out, err = module.run_command(module.params["validate"].replace("%s", new))
            if rc:
                raise Refused("slurm.conf would not be valid: %s%s" % (err, out))
        if backup and not os.path.exists(backup):
            shutil.copy2(path, backup)
        module.atomic_move(new, path)
    finally:
        if os.path.exists(new):
            os.unlink(new)


def change(module):
    path, backup = module.params["path"], module.params["path"] + ".before-pact"
    now = read(path)
    on = module.params["state"] == "present"
    if on:
        check_plugins(now, module.params["plugin_dirs"], module.params["scheduler"])
        new = put_in(path, now, module.params["scheduler"])
    elif os.path.exists(backup):
        new = take_out(now, read(backup))
    elif names_pact(now):
        raise Refused("%s is not there: take Pact's plugins out of %s by hand" % (backup, path))
    else:
        new = now
    if not module.check_mode:
        if new != now:
            store(module, new, backup if on else None)
        if not on and os.path.exists(backup):
            os.unlink(backup)
    return {"changed": new != now, "backup": backup if on else "",
            "diff": {"before": now, "after": new, "before_header": path, "after_header": path}}


def main():
    module = AnsibleModule(supports_check_mode=True, argument_spec={
        "path": {"type": "path", "required": True},
        "state": {"choices": ["present", "absent"], "default": "present"},
        "scheduler": {"choices": ["qops", "dynp"], "default": "qops"},
        "plugin_dirs": {"type": "list", "elements": "path", "default": []},
        "validate": {"type": "str", "default": ""},
    })
    try:
        module.exit_json(**change(module))
    except Refused as e:
        module.fail_json(msg=str(e))


if __name__ == "__main__":
    main()
