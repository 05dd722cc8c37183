#!/bin/sh
# The whole table, a row after the other, on a GPU where there is one:
#
#     sh examples/train/all.sh standard.npz 25 rows.jsonl      # the data, seconds of training for each row, where to
#
# 36 rows: 25 seconds each are 15 minutes of training; loading and evaluation come on top. Run it again after an
# interruption: rows that are there are not trained again. STEPS bounds the steps of a row, SEEDS says how many seeds,
# TASKS, MODELS and PYTHON say which, MORE has further options of train.py. BUDGET (seconds) bounds the whole: no row
# is begun that could end after it.
set -eu
data=$1 seconds=$2 rows=${3:-rows.jsonl}
here=$(dirname "$0") began=$(date +%s)
row() {
    left=$((${BUDGET:-1000000} - ($(date +%s) - began)))
    if [ "$left" -lt "${seconds%.*}" ]; then
        echo "The budget is over; the same command later does the rest."
        exit 3
    fi
    "${PYTHON:-python}" "$here/train.py" --data "$data" --seconds "$seconds" --seeds "${SEEDS:-3}" --out "$rows" ${MORE:-} "$@"
}
for task in ${TASKS:-levels components dijkstra core_numbers}; do
    row --task "$task" --model compiled --steps 0
    for model in ${MODELS:-looped compiled hypergraph star}; do
        row --task "$task" --model "$model" --steps "${STEPS:-100000}"
        row --task "$task" --model "$model" --steps "${STEPS:-100000}" --hints
    done
done
