# What a look-up and a strategy's memory cost, over the field.
data = from."/price.dat"
step = 25.0
cells = 4
over = "'10' '100' '1000' '10 000'"
panel = "'look-up in ns, by nodes' 'memory, by nodes'"
colour = ring_colour
load plots."heat.gp"
