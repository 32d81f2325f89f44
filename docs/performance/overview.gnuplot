# Draws docs/performance/overview.svg from overview.csv beside it. Run in the repository's root:
#
#   gnuplot docs/performance/overview.gnuplot

data = 'docs/performance/overview.csv'
set output 'docs/performance/overview.svg'
set terminal svg size 900,820 font 'DejaVu Sans,13' background rgb 'white'
set encoding utf8
set datafile separator comma
set datafile columnheaders

# The height at which the n-th line of the data is drawn: one row below the last one, or further down where another
# setting begins, whose name then stands above it.
last = ''
height(n, setting) = (begins = n == 0 || setting ne last, last = setting, \
                      y = n == 0 ? 2.2 : begins ? y + 2.6 : y + 1)

set title "Time of one exchange by Rondo, as a share of the time by MPI's own persistent call"
set xrange [-0.25:2.3]
set yrange [42.2:0]
set xtics ('0' 0, '0.25' 0.25, '0.5' 0.5, '0.75' 0.75, '1' 1, '1.25' 1.25, '1.5' 1.5) nomirror scale 0.5
set xlabel 'a shorter bar is better'
unset ytics
unset key
set border 1
set lmargin 2
set rmargin 2
set style fill solid noborder
set arrow from 1, 42.2 to 1, 0.9 nohead lw 2 lc rgb 'black' front
set label "as long as MPI's" at 0.98, 0.9 right front
set label 'MPI → Rondo, µs' at 1.9, 0.9 left
set label 'share' at 1.83, 0.9 right

plot data using (0):(height($0, strcol(1))):(0):5:(y - 0.38):(y + 0.38):(column(5) < 1 ? 0x1f5fbf : 0xc8501e) \
       with boxxyerror lc rgb variable, \
     data using (-0.01):(height($0, strcol(1))):2 with labels right, \
     data using (1.83):(height($0, strcol(1))):(strcol(5)) with labels right, \
     data using (1.9):(height($0, strcol(1))):(strlen(strcol(3)) > 0 ? strcol(3).' → '.strcol(4) : '') \
       with labels left, \
     data using (-0.24):(height($0, strcol(1)) - 1.05):(begins ? '{/:Bold '.strcol(1).'}' : '') with labels left
