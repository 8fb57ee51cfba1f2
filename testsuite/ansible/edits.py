# SPDX-License-Identifier: GPL-2.0-or-later
"""edits: part of ansible.t; the edits of pact_slurm_conf, on texts."""

import os
import sys
import tempfile
import types

# Of Ansible the module needs one name, which these tests do not use.
for name in ("ansible", "ansible.module_utils", "ansible.module_utils.basic"):
    sys.modules[name] = types.ModuleType(name)
sys.modules["ansible.module_utils.basic"].AnsibleModule = None
sys.path.insert(0, sys.argv[1])
import pact_slurm_conf as role  # noqa: E402

count = 0


def ok(good, name, *said):
    global count
    count += 1
    print("%s %d - %s" % ("ok" if good else "not ok", count, name))
    if not good:
        for s in said:
            print("# " + repr(s))


def refused(name, words, edit, *args):
    try:
        got = edit(*args)
    except role.Refused as e:
        ok(words in str(e), name, str(e))
    else:
        ok(False, name, got)


OURS = "SchedulerType=sched/qops\nSchedulerParameters=sched_interval=-1,defer\nJobSubmitPlugins=deadline\n"
ADDED = role.ADDED + "\n"

# Name, slurm.conf, what becomes of it.
EDITS = (
    ("nothing is there", "ClusterName=c\n", "ClusterName=c\n" + ADDED + OURS),
    ("no end of the last line", "ClusterName=c", "ClusterName=c\n" + ADDED + OURS),
    ("an empty file", "", ADDED + OURS),
    ("values are replaced where they are",
     "SchedulerType=sched/backfill\nClusterName=c\nSchedulerParameters=bf_continue,defer,sched_interval=60\n"
     "JobSubmitPlugins=lua\n",
     "SchedulerType=sched/qops\nClusterName=c\nSchedulerParameters=sched_interval=-1,defer,bf_continue\n"
     "JobSubmitPlugins=lua,deadline\n"),
    ("keys as they are written, blanks and comments stay",
     "  schedulertype = sched/builtin   # ours\r\nJOBSUBMITPLUGINS=\"lua\"\n",
     "  schedulertype = sched/qops   # ours\r\nJOBSUBMITPLUGINS=\"lua,deadline\"\n" + ADDED +
     "SchedulerParameters=sched_interval=-1,defer\n"),
    ("a comment is no setting", "#SchedulerType=sched/backfill\n", "#SchedulerType=sched/backfill\n" + ADDED + OURS),
    ("what is not ASCII stays", "# gr\xfc\xdfe \xff\nClusterName=c\n",
     "# gr\xfc\xdfe \xff\nClusterName=c\n" + ADDED + OURS),
    ("dynp is ours, too", "SchedulerType=sched/dynp\nJobSubmitPlugins=job_submit/deadline\n"
     "SchedulerParameters=defer,sched_interval=-1\n", "SchedulerType=sched/qops\n"
     "JobSubmitPlugins=job_submit/deadline\nSchedulerParameters=defer,sched_interval=-1\n"),
)
for name, before, after in EDITS:
    got = role.put_in("/none/slurm.conf", before, "qops")
    ok(got == after, name, got)
    ok(role.put_in("/none/slurm.conf", got, "qops") == got, "  a second time nothing changes")
    ok(role.take_out(got, before) == before, "  and back, to the byte", role.take_out(got, before))

got = role.put_in("/none/slurm.conf", "SchedulerType=sched/backfill\n", "qops") + "MaxJobCount=5\n"
ok(role.take_out(got, "SchedulerType=sched/backfill\n") == "SchedulerType=sched/backfill\nMaxJobCount=5\n",
   "back keeps what was changed since", role.take_out(got, "SchedulerType=sched/backfill\n"))
got = "JobSubmitPlugins=deadline\n"
ok(role.take_out(got, "SchedulerType=sched/backfill\n") == "SchedulerType=sched/backfill\n",
   "a line that was taken away since comes back", role.take_out(got, "SchedulerType=sched/backfill\n"))

put = (role.put_in, "/none/slurm.conf")
refused("a key twice is refused", "more than once", *put, "SchedulerType=a\nschedulertype=b\n", "qops")
refused("a key behind another is refused", "on a line with others", *put, "ClusterName=c SchedulerType=a\n", "qops")
refused("a continued line is refused", "continued", *put, "JobSubmitPlugins=lua,\\\nrequire\n", "qops")
with tempfile.TemporaryDirectory() as d:
    with open(os.path.join(d, "more.conf"), "w") as f:
        f.write("SchedulerType=sched/backfill\n")
    refused("a key in an included file is refused", "more.conf", role.put_in, os.path.join(d, "slurm.conf"),
            "Include more.conf\n", "qops")
    refused("no plugin is refused", "install it first", role.check_plugins, "PluginDir=%s\n" % d, [], "qops")
    for name in ("job_submit_deadline.so", "sched_dynp.so"):
        open(os.path.join(d, name), "w").close()
    ok(role.check_plugins("PluginDir=/none:%s\n" % d, [], "dynp") is None, "plugins in one of two directories")
ok(role.names_pact(OURS) and not role.names_pact("SchedulerType=sched/backfill\nJobSubmitPlugins=lua\n"),
   "a slurm.conf with Pact is known")
print("1..%d" % count)
