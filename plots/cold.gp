# Popular keys drawn at random: what a fourth node costs, from its first request on.
data = from."/cold.dat"
since = 1
theory = 1
load plots."hits.gp"
