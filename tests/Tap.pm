# TAP for tests in Perl, as lib.sh is for those in the shell: use lib 'tests'; use Tap. A test starts in the repository's top folder;
# $keysim is the program's absolute path, $top that folder, $scratch one that is gone at exit; done_testing() last.
package Tap;
use strict;
use warnings;
use Cwd 'getcwd';
use Exporter 'import';
use File::Temp 'tempdir';
our @EXPORT = qw($keysim $top $scratch $sanitized ok is note slurp spill done_testing);

our $top = getcwd;
our $keysim = $ENV{BIN} // 'build/keysim';
$keysim = "$top/$keysim" unless $keysim =~ m{^/};
our $sanitized = $keysim =~ /san-/;
our $scratch = tempdir('keysim-test-XXXXXX', TMPDIR => 1, CLEANUP => 1);
my ($count, $failed) = (0, 0);
$| = 1;

# ok(PASSED, NAME, NOTES...): notes are shown where it failed.
sub ok {
    my ($passed, $name, @notes) = @_;
    $count++;
    $failed++ unless $passed;
    print $passed ? "ok $count - $name\n" : "not ok $count - $name\n";
    note(@notes) unless $passed;
    return $passed;
}

sub note { print map { "# $_\n" } map { substr $_, 0, 300 } map { split /\n/ } @_ }

sub is {
    my ($got, $wanted, $name) = @_;
    return ok($got eq $wanted, $name, "     got: $got", "expected: $wanted");
}

sub slurp { my ($file) = @_; local $/; open my $f, '<:raw', $file or return ''; my $text = <$f>; return $text // '' }

sub spill { my ($file, $text) = @_; open my $f, '>:raw', $file or die "$file: $!\n"; print {$f} $text; close $f or die "$file: $!\n" }

sub done_testing { print "1..$count\n"; exit($failed > 0) }

1;
