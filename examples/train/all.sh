#!/bin/sh
# The whole table, on a GPU where there is one:
#
#     AT_ONCE=10 sh examples/train/all.sh standard.npz 200 rows.jsonl   # the data, seconds of training a row, where to
#
# 20 rows of 200 seconds, ten at a time, are 7 minutes of training; loading and evaluation come on top. On a CPU, seconds
# are those of one core. Run it again after an interruption: rows that are there are not trained again. TASKS, MODELS and
# SEEDS say which rows, HINTS for which tasks hints are learned, too. STEPS bounds the steps of a row; MORE has further
# options of train.py, and START those of the networks that start at random. AT_ONCE is how many rows are trained at a
# time (on a GPU, NVIDIA's MPS lets them share it). BUDGET (seconds) bounds the whole: no row is begun that could end
# after it. PYTHON is what runs it.
set -eu
export data="$1" seconds="$2" rows="${3:-rows.jsonl}" here began SEEDS MORE START PYTHON BUDGET
here=$(dirname "$0") began=$(date +%s)
SEEDS=${SEEDS:-3} MORE=${MORE:-} START=${START:-} PYTHON=${PYTHON:-python} BUDGET=${BUDGET:-1000000}

rows_of_the_table() {
    for task in ${TASKS:-levels components dijkstra core_numbers}; do
        echo "--task $task --model compiled --steps 0"
        for model in ${MODELS:-looped compiled hypergraph star}; do
            echo "--task $task --model $model --steps ${STEPS:-100000}"
            case " ${HINTS-levels} " in *" $task "*) echo "--task $task --model $model --steps ${STEPS:-100000} --hints" ;; esac
        done
    done
}

# shellcheck disable=SC2016 # expanded by the shell of the row; its options are words
rows_of_the_table | xargs -P "${AT_ONCE:-1}" -L 1 sh -c '
    left=$((BUDGET - ($(date +%s) - began)))
    if [ "$left" -lt "${seconds%.*}" ]; then
        echo "The budget is over; the same command later does the rest."
        exit 255 # ends xargs
    fi
    case "$*" in *"--model compiled"*) START= ;; esac
    exec "$PYTHON" "$here/train.py" --data "$data" --seconds "$seconds" --seeds "$SEEDS" --out "$rows" $MORE $START "$@"
' row
