# What tests in Perl share, beside Test::More, as those in the shell share lib.sh: use lib 'tests'; use Shared. A test starts in the repository's
# top folder, $top; $keysim is the program's absolute path, $scratch a folder that is gone at exit.
package Shared;
use strict;
use warnings;
use Cwd 'getcwd';
use Exporter 'import';
use File::Temp 'tempdir';
our @EXPORT = qw($keysim $top $scratch $sanitized slurp spill without_leaks);

our $top = getcwd;
our $keysim = $ENV{BIN} // 'build/keysim';
$keysim = "$top/$keysim" unless $keysim =~ m{^/};
our $sanitized = $keysim =~ /san-/;
our $scratch = tempdir('keysim-test-XXXXXX', TMPDIR => 1, CLEANUP => 1);
$| = 1;

# The bytes of a file; '' where there is none.
sub slurp { my ($file) = @_; local $/; open my $f, '<:raw', $file or return ''; return scalar(<$f>) // '' }

sub spill { my ($file, $bytes) = @_; open my $f, '>:raw', $file or die "$file: $!\n"; print {$f} $bytes; close $f or die "$file: $!\n" }

# Sanitized programs do not look for leaks at their end, which may take them half of their time.
sub without_leaks { $ENV{ASAN_OPTIONS} = ($ENV{ASAN_OPTIONS} // '') . ':detect_leaks=0' if $sanitized }

1;
