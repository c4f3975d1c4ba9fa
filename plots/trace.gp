# The same on a real trace, along the whole stream.
data = from."/trace.dat"
since = 0
theory = 0
load plots."hits.gp"
