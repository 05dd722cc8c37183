"""Shards that are not what their footers say."""

from importlib import import_module


def forge(path):
    """Another answer under the same footer."""
    parquet, pyarrow = import_module("pyarrow.parquet"), import_module("pyarrow")
    table = parquet.read_table(path)
    place = table.schema.get_field_index("output_level")
    answers = [[0] * len(each) for each in table.column(place).to_pylist()]
    field = table.schema.field(place)
    forged = table.set_column(place, field, pyarrow.array(answers, field.type))
    parquet.write_table(forged.replace_schema_metadata(parquet.read_metadata(path).metadata), path)
