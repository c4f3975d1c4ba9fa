package Tests;

# The tests that can notice a mutant: what each costs and which lines it reaches, measured once as things stand, and running one.
use strict;
use warnings;
use Digest::MD5 qw(md5_hex);
use Exporter qw(import);
use File::Basename qw(basename);
use File::Path qw(make_path remove_tree);
use POSIX qw(SIGKILL);
use Time::HiRes qw(time);
use Work;
our @EXPORT = qw(run_test measure_tests settled in_order);

my $XCPU = 24; # the signal at the end of ulimit -t
my $DEAR = 6; # CPU seconds: a test that takes more is left out

# Runs a test until it ends, fails or takes far longer than it should: what was wrong, or ''. $library: a folder of libraries that go before the unbroken
# ones, and of what the test writes.
sub run_test {
    my ($test, $library) = @_;
    my ($cpu, $wall) = defined $test->{cpu} ? (int(4 * $test->{cpu}) + 4, int(20 * $test->{wall}) + 60) : ($DEAR, 1200);
    make_path("$library/tmp");
    my $pid = open(my $out, '-|') // die "fork: $!\n";
    if (!$pid) {
        setpgrp;
        open STDERR, '>', '/dev/null';
        open STDIN, '<', '/dev/null';
        $ENV{MALLOC_PERTURB_} = 165; # what is read beyond its end, or was never written, is not zero by luck
        @ENV{qw(LD_LIBRARY_PATH TMPDIR)} = ("$library:@{[work]}/base", "$library/tmp");
        exec 'sh', '-c', "ulimit -t $cpu -v 8000000 -f 2000000; exec $test->{command}";
    }
    my ($planned, $seen, $wrong) = (-1, 0, '');
    eval {
        local $SIG{ALRM} = sub { die "hangs\n" };
        alarm $wall;
        while (<$out>) {
            $planned = $1 if /^1\.\.(\d+)/;
            $seen++ if /^(?:not )?ok /;
            die 'fails: ' . (/^not ok \d+ - (.*)/ ? $1 : '') . "\n" if /^not ok/;
        }
        alarm 0;
    };
    $wrong = $@;
    alarm 0;
    kill 'KILL', -$pid if $wrong;
    close $out;
    $wrong ||= $? & 127 ? ($? & 127) == $XCPU || ($? & 127) == SIGKILL ? 'hangs' : 'signal ' . ($? & 127) : $? ? 'status ' . ($? >> 8) : $planned != $seen ? 'ends early' : '';
    chomp $wrong;
    return $wrong;
}

# The programs and scripts of make test that can notice. Those that hold all strategies to something are taken a strategy at a time, and all reach what
# contract_test reaches.
sub all_tests {
    my @strategy = map { tr/_/-/r } slurp('strategies/list.h') =~ /^STRATEGY\((\w+)\)/gm;
    my @part = map { "tests/contract/${_}_test" } qw(contract changes library verify);
    my @test;
    for my $strategy (@strategy) {
        my ($first, @more) = map { {name => "$_ $strategy", command => "../base/$_ $strategy"} } @part;
        push @test, $first, map { {%$_, like => $first} } @more;
    }
    for my $name (map { s/\.c$//r } sort glob 'tests/unit/*_test.c tests/contract/*_test.c tests/property/*_test.c') {
        push @test, {name => $name, command => "../base/$name"} unless grep { $_ eq $name } @part;
    }
    for my $system (qw(cassandra dubbo envoy groupcache guava haproxy hashes ipvs jump lafikl libketama libmemcached nginx redis stathat straw2 tutorial twemproxy uhashring)) {
        push @test, {name => "tests/golden/vectors.t $system", command => "env VECTORS=data/vectors ONLY='$system*' perl tests/golden/vectors.t"};
    }
    return @test, {name => 'tests/golden/cli.t list', command => "env CASES='list-*' sh tests/golden/cli.t"}; # what all promise
}

# "file function" -> 1 of all that were called, and "file line" -> whether it was reached, as gcc's counters below a folder say.
sub called {
    my ($below) = @_;
    my %called;
    open my $out, '-|', "find $below -name '*.gcda' | xargs gcov --json-format --stdout" or die "gcov: $!\n";
    while (my $object = <$out>) {
        my ($file) = $object =~ m{"data_file": "[^"]*?covered/([^"]*)\.gcda"} or next;
        for my $source (split /(?=\{"lines": )/, $object) { # what stands in a header belongs to no mutant
            next unless $source =~ m{"file": "\Q$file\E\.c"};
            while ($source =~ /"count": (\d+), "line_number": (\d+)/g) { $called{"$file.c $2"} |= $1 > 0 ? 1 : 0 }
            for my $f ($source =~ /\{[^{}]*"execution_count"[^{}]*\}/g) {
                my ($name) = $f =~ /"name": "([^"]+)"/ or next;
                $called{"$file.c $name"} = 1 if $f =~ /"execution_count": [1-9]/;
            }
        }
    }
    return \%called;
}

# Runs a test as things stand: what it costs and what it reaches, into a file; nothing of one that is too dear.
sub measure {
    my ($t, $into) = @_;
    my ($start, @before) = (time, times);
    ($ENV{GCOV_PREFIX}, $ENV{GCOV_PREFIX_STRIP}) = ($into, work() =~ tr{/}{});
    make_path($into);
    system("cd @{[work]} && find covered -name '*.gcno' | xargs cp --parents -lt $into") == 0 or die "$into: cannot be copied to\n";
    my $wrong = run_test($t, "@{[work]}/covered");
    my @after = times;
    die "mutants: $t->{name} $wrong, and nothing is broken yet\n" if $wrong && $wrong ne 'hangs';
    return spill("$into.found", 'dear'), remove_tree($into) if $wrong;
    my $called = called($into);
    spill("$into.found", join "\n", time - $start, $after[2] + $after[3] - $before[2] - $before[3], map { "$_ $called->{$_}" } sort keys %$called);
    remove_tree($into);
}

# All tests that are not too dear, with what they cost and reach; all must pass as things stand. What was measured of the same library and test before
# still holds.
sub measure_tests {
    my ($jobs, $wanted) = @_;
    my @test = grep { $_->{name} =~ $wanted && (!$_->{like} || $_->{like}{name} =~ $wanted) } all_tests();
    my $core = md5_hex(slurp("@{[work]}/covered/libcore.so"), scalar `find data -type f | LC_ALL=C sort | xargs md5sum`);
    my $scripts = md5_hex(scalar `find README.md tests/golden tests/*.t tests/lib.sh -type f | LC_ALL=C sort | xargs md5sum`);
    make_path("@{[work]}/measured");
    for my $t (@test) {
        my $self = $t->{command} =~ /\.t$/ ? $scripts : md5_hex(slurp($t->{command} =~ s/ .*//r));
        $t->{into} = "@{[work]}/measured/" . md5_hex("$core $self $t->{name}");
    }
    in_parallel($jobs, [grep { !$_->{like} && !-e "$_->{into}.found" } @test], sub { measure($_[0], $_[0]{into}) }, sub {});
    for my $t (grep { !$_->{like} } @test) {
        ($t->{wall}, $t->{cpu}, my @called) = split /\n/, slurp("$t->{into}.found");
        $t->{calls} = {map { /^(.*) (\d)$/ } @called};
    }
    @test = grep { ($_->{like} // $_)->{wall} ne 'dear' } @test;
    $_->{guess} = 4 * $_->{like}{cpu} for grep { $_->{like} } @test;
    return @test;
}

# Whether a test can be asked: one that is like another is run unbroken only when it is needed, and may turn out to be too dear.
sub settled {
    my ($t) = @_;
    return 1 unless $t->{like};
    my $file = "$t->{into}.cost";
    if (!-e $file) {
        my ($start, @before) = (time, times);
        my $wrong = run_test($t, "@{[work]}/base");
        my @after = times;
        die "mutants: $t->{name} $wrong, and nothing is broken yet\n" if $wrong && $wrong ne 'hangs';
        spill($file, $wrong ? 'dear' : join "\n", time - $start, $after[2] + $after[3] - $before[2] - $before[3]);
    }
    ($t->{wall}, $t->{cpu}) = split /\n/, slurp($file);
    return $t->{wall} ne 'dear';
}

# Whether a test reaches what is broken: its line, or the function where gcc counts no such line; any function of the file for a table, and for a test
# that is only known to be like another.
sub reaches {
    my ($t, $m) = @_;
    my $reached = ($t->{like} // $t)->{calls};
    my $line = $reached->{"$m->{file} $m->{line}"};
    return $line // $reached->{"$m->{file} $m->{function}"} if $m->{function} && !$t->{like};
    return grep { $reached->{$_} && /^\Q$m->{file}\E / } keys %$reached;
}

# Those that reach what is broken, the likely and quick ones first.
sub in_order { # MUTANT, KILLS of the file's mutants so far by test, TESTS
    my ($m, $kills, @test) = @_;
    my $stem = basename($m->{file}, '.c') =~ tr/_/-/r;
    my %rank;
    for my $t (@test) {
        my $near = $t->{name} =~ tr/_/-/r =~ /\b(?:strategies-|systems-)?\Q$stem\E\b/;
        $rank{$t->{name}} = ($near + ($kills->{$t->{name}} // 0)) / (($t->{cpu} // $t->{guess}) + 0.05);
    }
    return sort { $rank{$b->{name}} <=> $rank{$a->{name}} || ($a->{cpu} // $a->{guess}) <=> ($b->{cpu} // $b->{guess}) || $a->{name} cmp $b->{name} } grep { reaches($_, $m) } @test;
}

1;
