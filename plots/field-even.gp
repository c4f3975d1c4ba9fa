# Balance of the field: the fullest node, and the spread, what theory expects under each.
data = from."/even.dat"
step = 37.0
cells = 3
over = "'10' '100' '1000'"
panel = "'fullest node, by nodes' 'spread (CV), by nodes'"
colour = modulo_colour
load plots."heat.gp"
