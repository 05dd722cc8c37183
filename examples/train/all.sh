#!/bin/sh
# The whole table, a row after the other, on a GPU where there is one:
#
#     sh examples/train/all.sh standard.npz 25 rows.jsonl      # the data, seconds of training for each row, where to
#
# 20 rows of 25 seconds are 8 minutes of training; loading and evaluation come on top. On a CPU, seconds are those of one
# core. Run it again after an interruption: rows that are there are not trained again. TASKS, MODELS and SEEDS say which
# rows, HINTS for which tasks hints are learned, too. STEPS bounds the steps of a row; MORE has further options of
# train.py, and START those of the networks that start at random. BUDGET (seconds) bounds the whole: no row is begun that
# could end after it. PYTHON is what runs it.
set -eu
data=$1 seconds=$2 rows=${3:-rows.jsonl}
here=$(dirname "$0") began=$(date +%s)
row() {
    left=$((${BUDGET:-1000000} - ($(date +%s) - began)))
    if [ "$left" -lt "${seconds%.*}" ]; then
        echo "The budget is over; the same command later does the rest."
        exit 3
    fi
    case "$*" in *"--model compiled"*) start= ;; *) start=${START:-} ;; esac
    # shellcheck disable=SC2086 # options are words
    "${PYTHON:-python}" "$here/train.py" --data "$data" --seconds "$seconds" --seeds "${SEEDS:-3}" --out "$rows" \
        ${MORE:-} $start "$@"
}
for task in ${TASKS:-levels components dijkstra core_numbers}; do
    row --task "$task" --model compiled --steps 0
    for model in ${MODELS:-looped compiled hypergraph star}; do
        row --task "$task" --model "$model" --steps "${STEPS:-100000}"
        case " ${HINTS-levels} " in *" $task "*) row --task "$task" --model "$model" --steps "${STEPS:-100000}" --hints ;; esac
    done
done
