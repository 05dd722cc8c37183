"""The example files of the HIF standard, and the sizes of real ones: the files are not in the repository."""

import pytest

from hyloop.errors import FormatError
from hyloop.io.hif import read, write


def text_of(H):
    return "".join(write(H))


class TestReferenceFiles:
    def test_every_compliant_file_is_read_and_survives_a_round_trip(self, shared):
        files = sorted((shared / "hif" / "HIF-compliant").glob("*.json"))
        assert len(files) == 15
        for file in files:
            H = read(file.read_text("utf-8"))
            assert read(text_of(H)) == H, file.name

    def test_every_other_file_is_refused_with_a_path(self, shared):
        files = sorted((shared / "hif" / "HIF-non-compliant").glob("*.json"))
        assert len(files) == 16
        for file in files:
            with pytest.raises(FormatError) as raised:
                read(file.read_text("utf-8"))
            assert str(raised.value.where).startswith("$"), file.name

    @pytest.mark.parametrize(
        ("name", "vertices", "hyperedges", "largest"),
        [("davis-southern-women", 18, 13, 14), ("lesmis", 80, 191, 9), ("publications", 1960, 514, 17)],
    )
    def test_real_hypergraphs_have_the_known_sizes(self, shared, name, vertices, hyperedges, largest):
        H = read((shared / "data" / f"{name}.hif.json").read_text("utf-8"))
        sizes = H.incidence_transposed.indptr[1:] - H.incidence_transposed.indptr[:-1]
        assert (len(H.vertices), len(H.hyperedges), sizes.max()) == (vertices, hyperedges, largest)
