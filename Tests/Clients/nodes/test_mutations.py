"""The checker finds the defects that debug builds have for that purpose (DN-9.6)."""

import pytest

from nodes.mutations import FOUND_BY, find, has_mutations


@pytest.mark.parametrize("mutation", FOUND_BY)
def test_a_mutation_is_found(binary, mutation):
    if not has_mutations(binary):
        pytest.skip("the binary has no mutations: they are for debug builds")
    assert find(mutation, seed=1, binary=binary)
