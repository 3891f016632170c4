#!/usr/bin/env bash
# What a team runs, on one machine: PostgreSQL, an S3 server, a Dask scheduler with two workers, an
# import that follows the logs, and two mindviz servers. docs/scaling.md explains the parts.
#
#     pip install 'mindviz[cloud,cluster,postgresql]' 'moto[s3]'     and, for PostgreSQL, apt-get install postgresql
#     examples/team.sh [--synthetic N] [DIR]
#
#     DIR             logs to upload; without it, demo logs
#     --synthetic N   fill an experiment with N synthetic runs first, which both servers show; see
#                     synthetic_runs.py: a million take 3 to 14 minutes and 19 GB
#
# Ctrl-C ends everything and deletes the temporary folder with the data.
set -euo pipefail

python=${PYTHON:-python3}
synthetic=0
if [ "${1:-}" = --synthetic ]; then
    synthetic=$2
    shift 2
fi
work=$(mktemp -d)
chmod 755 "$work"
export DASK_TEMPORARY_DIRECTORY=$work
export PYTHONSAFEPATH=1 # In a checkout, mindviz as installed: it has the compiled scanner.
pids=()

finish() {
    trap - EXIT INT TERM
    kill "${pids[@]}" 2>/dev/null || true
    wait "${pids[@]}" 2>/dev/null || true
    [ ! -d "$work/pg" ] || pg pg_ctl -D "$work/pg/data" -m fast -w stop >/dev/null || true
    rm -rf "$work"
}
trap finish EXIT
trap 'exit 130' INT TERM

# The parts take them seconds later. So they are below those that connections of other programs get.
free_ports() { # NUMBER
    "$python" - "$1" <<'END'
import random, socket, sys

listening = []
while len(listening) < int(sys.argv[1]):
    try:
        listening.append(socket.create_server(("127.0.0.1", random.randrange(10_000, 32_768))))
    except OSError:
        pass  # taken
print(*(listener.getsockname()[1] for listener in listening))
END
}

pause() { # if all parts still run
    for pid in "${pids[@]}"; do
        kill -0 "$pid" 2>/dev/null || fail
    done
    sleep 0.1
}

fail() {
    echo "A part ended:" >&2
    tail -v -n 5 "$work"/*.log >&2
    exit 1
}

wait_for() { # PORT
    until (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; do pause; done
}

# PostgreSQL refuses to run as root.
pg() {
    local program=$1
    shift
    if [ "$(id -u)" = 0 ]; then
        (cd / && runuser -u postgres -- "$programs/$program" "$@")
    else
        "$programs/$program" "$@"
    fi
}

read -r s3_port dask_port port < <(free_ports 3)

# Started first, because they take a second.
"$python" -m moto.server -H 127.0.0.1 -p "$s3_port" >"$work/s3.log" 2>&1 &
pids+=($!)
"$python" -m dask scheduler --host 127.0.0.1 --port "$dask_port" --dashboard-address 127.0.0.1:0 \
    >"$work/scheduler.log" 2>&1 &
pids+=($!)

# ------------------------------------------------------------------------------------- database
programs=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1 || true)
programs=${programs:-$(dirname "$(command -v initdb)")}
mkdir "$work/pg"
[ "$(id -u)" != 0 ] || chown postgres "$work/pg"
pg initdb -D "$work/pg/data" -U postgres -A trust -E UTF8 >"$work/initdb.log"
# Its data is deleted in the end, so nothing has to survive a crash.
throwaway="-c fsync=off -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=8GB"
throwaway="$throwaway -c shared_buffers=512MB -c maintenance_work_mem=512MB"
pg pg_ctl -D "$work/pg/data" -w -l "$work/pg/log" \
    -o "-p $port -k $work/pg -c listen_addresses=127.0.0.1 $throwaway" start >/dev/null
database=postgresql://postgres@127.0.0.1:$port/postgres
echo "Database  $database"
[ "$synthetic" = 0 ] || "$python" "$(dirname "$0")/synthetic_runs.py" --db "$database" --runs "$synthetic"

# --------------------------------------------------------------------------------- object store
wait_for "$s3_port"
export AWS_ENDPOINT_URL=http://127.0.0.1:$s3_port AWS_ACCESS_KEY_ID=example AWS_SECRET_ACCESS_KEY=example
export AWS_DEFAULT_REGION=us-east-1
logs=${1:-$work/demo}
[ $# -gt 0 ] || "$python" -m mindviz demo "$logs" >/dev/null
"$python" - "$logs" <<'END'
import pathlib, sys
import boto3

directory, store = pathlib.Path(sys.argv[1]), boto3.client("s3")
store.create_bucket(Bucket="trainings")
for path in directory.rglob("*"):
    if path.is_file():
        store.upload_file(str(path), "trainings", path.relative_to(directory).as_posix())
END
echo "Logs      s3://trainings at $AWS_ENDPOINT_URL"

# ---------------------------------------------------------------------------------------- cluster
wait_for "$dask_port"
scheduler=tcp://127.0.0.1:$dask_port
"$python" -m dask worker "$scheduler" --nworkers 2 --nthreads 1 --local-directory "$work" \
    --dashboard-address 127.0.0.1:0 >"$work/workers.log" 2>&1 &
pids+=($!)
echo "Cluster   $scheduler"

# ----------------------------------------------------------------------------- import and servers
"$python" -m mindviz import s3://trainings --db "$database" --on "$scheduler" --watch \
    --reload-interval 1 > >(sed -u 's/^/Import    /') &
pids+=($!)
for number in 1 2; do
    "$python" -m mindviz start --db "$database" --port 0 --workspace "$work/workspace$number" \
        --reload-interval 1 >"$work/server$number.log" 2>&1 &
    pids+=($!)
done
for number in 1 2; do
    until grep -q "Page  " "$work/server$number.log"; do pause; done
    sed -n 's/^ *Page  */Page      /p' "$work/server$number.log"
done
echo "Ctrl-C ends everything."
wait -n "${pids[@]}" || true
fail
