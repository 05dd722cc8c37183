"""Many inputs of one hypergraph at once: the same weights and the same incidence, a lane of a vector for each input.

A column of the state has for each row one number of every lane, side by side, so a product with the incidence is one
pass over its entries for all lanes, and the sums of a row are computed for all lanes by the same instructions. Numbers
are integers, as narrow as the weights allow: intervals show that no sum of a row overflows while all columns are within
their *boxes*, and every number that is written is compared with its box. A lane that leaves one is run again, on its
own. Boxes are guessed from what a few inputs hold; a wrong guess costs time, never a result.
"""
