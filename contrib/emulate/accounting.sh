# SPDX-License-Identifier: GPL-2.0-or-later
# accounting.sh: part of emulate; the database of a cluster with --accounting: a MariaDB and a slurmdbd
# of its own, below DIR/db.
# MariaDB asks nobody for a password and listens at no port: its socket lies in a directory that only
# the owner can enter. The data is a test's: nothing waits for the disk.
# shellcheck shell=bash disable=SC2154

accounting_packages="slurmdbd mariadb-server-core"

# What makes MariaDB's own tables: of Debian 13's package, or of older ones.
system_tables() {
	local f
	for f in /usr/share/mariadb/mariadb_system_tables.sql /usr/share/mysql/mysql_system_tables.sql; do
		[ ! -r "$f" ] || { echo "$f"; return; }
	done
	return 1
}

check_accounting() {
	local tool
	[ "$speed" = 1 ] || die "--accounting and --speed $speed: the database lives on the real clock only"
	for tool in slurmdbd sacctmgr mariadbd; do
		find_tool "$tool" >/dev/null ||
			die "--accounting: $tool is not installed (apt-get install $accounting_packages)"
	done
	system_tables >/dev/null || die "--accounting: there is no" \
		"/usr/share/mariadb/mariadb_system_tables.sql (apt-get install mariadb-server-core)"
	[ -r "$(stock_plugin_dir)/accounting_storage_mysql.so" ] || die "--accounting: there is no" \
		"$(stock_plugin_dir)/accounting_storage_mysql.so (apt-get install slurm-wlm-mysql-plugin)"
}

accounting_lines() {
	if [ "$accounting" = no ]; then
		echo "AccountingStorageType=accounting_storage/none"
		return
	fi
	echo "AccountingStorageType=accounting_storage/slurmdbd"
	echo "AccountingStorageHost=127.0.0.1"
	echo "AccountingStoragePort=$dbd_port"
	echo "AccountingStoragePass=$dir/munge/socket"
	echo "AccountingStorageEnforce=limits,qos"
}

# slurmdbd wants a file that nobody else can read.
write_slurmdbd_conf() {
	(umask 077 && cat >"$dir/etc/slurmdbd.conf") <<EOF
SlurmUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$dir/munge/socket
PluginDir=$(stock_plugin_dir)
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$dbd_port
DebugLevel=info
LogFile=$dir/log/slurmdbd.log
PidFile=$dir/run/own/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=slurm
StorageLoc=slurm_acct_db
EOF
}

# The words that make a mariadbd.
mariadb_words() {
	database=("$(find_tool mariadbd)" --no-defaults "--datadir=$dir/db/data" --skip-networking
		--skip-grant-tables --skip-log-bin --skip-name-resolve --performance-schema=OFF
		--innodb-log-file-size=8M --innodb-buffer-pool-size=32M --innodb-doublewrite=0
		--innodb-flush-log-at-trx-commit=0 --innodb-lock-wait-timeout=900)
	# It does not run as root unless told to.
	[ "$(id -u)" != 0 ] || database+=(--user=root)
}

# What mariadb-install-db would do, but that needs a program of another package. And slurmdbd's database: it
# would make that itself, but Debian 13's client library (3.4.10) takes no results after a connection that
# failed, as that to a database that is not there yet does.
start_mariadb() {
	local -a database
	mariadb_words
	rm -rf "$dir/db"
	(umask 077 && mkdir -p "$dir/db/data") || fail_up "cannot make $dir/db"
	{
		printf 'create database mysql;\nuse mysql;\n'
		cat "$(system_tables)"
		echo "create database slurm_acct_db;"
	} | "${database[@]}" --bootstrap >"$dir/log/mariadb.out" 2>&1 9>&- ||
		fail_up "MariaDB cannot make its tables" "$dir/log/mariadb.out"
	start_daemon mariadb "${database[@]}" "--socket=$dir/db/socket" "--pid-file=$dir/db/pid"
	wait_until 30 mariadb_settled && alive mariadb ||
		fail_up "MariaDB does not start" "$dir/log/mariadb.out"
}

mariadb_settled() {
	[ -S "$dir/db/socket" ] && [ -s "$dir/db/pid" ] || ! alive mariadb
}

# It finds its configuration beside slurm.conf, and MariaDB by the name of a socket in its environment.
start_slurmdbd() {
	write_slurmdbd_conf
	# shellcheck disable=SC2016
	start_daemon slurmdbd env "MYSQL_UNIX_PORT=$dir/db/socket" bash -c 'exec -a "$0" "$@"' \
		"slurmdbd of $dir/etc/slurmdbd.conf" "$(find_tool slurmdbd)" -D
	wait_until 60 slurmdbd_settled && alive slurmdbd ||
		fail_up "slurmdbd does not start" "$dir/log/slurmdbd.log"
	add_cluster >"$dir/log/sacctmgr.out" 2>&1 ||
		fail_up "the cluster cannot be registered" "$dir/log/sacctmgr.out"
}

slurmdbd_settled() {
	sacctmgr -n -P list cluster >/dev/null 2>&1 || ! alive slurmdbd
}

# Registering it makes the account root, with the user root in it.
add_cluster() {
	sacctmgr -i add cluster "$cluster_name" || return
	[ "$(id -u)" = 0 ] || {
		sacctmgr -i add account users &&
			sacctmgr -i add user "$(id -un)" account=users adminlevel=admin
	}
}

start_accounting() {
	start_mariadb
	start_slurmdbd
}
