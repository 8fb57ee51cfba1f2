# SPDX-License-Identifier: GPL-2.0-or-later
# Paper: Table 1 of the paper on gang scheduling, and its highest utilizations.
package Paper;
use strict;
use warnings;

# Utilization and slowdown at the workloads 0 to 8.
our %table1 = (
	bgs => [[0.55, 0.61, 0.66, 0.72, 0.77, 0.83, 0.89, 0.94, 0.96], [2.5, 3.2, 3.8, 6.5, 8.0, 11.9, 22.4, 34.9, 67.9]],
	mbgs => [[0.55, 0.61, 0.66, 0.72, 0.77, 0.83, 0.88, 0.94, 0.98], [2.1, 2.5, 2.9, 3.7, 5.1, 7.6, 11.0, 20.9, 56.8]],
	gs => [[0.55, 0.61, 0.66, 0.72, 0.78, 0.83, 0.86, 0.86, 0.86],
		[3.9, 7.0, 18.8, 44.8, 125.6, 405.6, 1738.0, 4147.7, 5941.5]],
	mgs => [[0.55, 0.61, 0.66, 0.72, 0.77, 0.83, 0.88, 0.94, 0.97],
		[2.6, 4.0, 6.9, 13.5, 29.4, 54.4, 134.2, 399.3, 1609.9]],
);

# Of BF: section 6.3.
our %top = (bf => 0.95, gs => 0.86, bgs => 0.96, mgs => 0.97, mbgs => 0.98);

1;
