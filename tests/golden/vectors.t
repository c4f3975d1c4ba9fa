#!/usr/bin/perl
# Placements and digests as real programs gave them: each line of CASES.tsv is one call of keysim, its answers held
# against a column. data/vectors holds every case, with all keys at a point's very edge and some of the others. VECTORS names other
# folders of the same form instead, whole recordings for one, ONLY a pattern of their files.
use strict;
use warnings;
no warnings 'portable'; # numbers of 64 bits
use lib 'tests';
use Shared;
use Test::More;

my $only = join '.*', map { quotemeta } split /\*/, $ENV{ONLY} // '*', -1;
my $keys = "$scratch/keys";
without_leaks;

# The lines that keysim WORDS prints, without the heading.
sub answers {
    my $pid = open(my $out, '-|') // die "fork: $!\n";
    if (!$pid) {
        open STDERR, '>>', "$scratch/err";
        exec $keysim, @_, '--format', 'csv' or die "$keysim: $!\n";
    }
    my @line = <$out>;
    close $out;
    chomp @line;
    return @line[1 .. $#line];
}

sub last_fields { return map { s/.*,//r } @_ }

# What a recording holds: its rows as lists, and where a column is, by its name.
sub recording {
    my ($file) = @_;
    my (@row, %at);
    for (split /\n/, slurp($file)) {
        if (!@row && /^#/) {
            my @name = /^# columns: (.*\t.*)/ ? split /\t/, $1 : ();
            @at{@name} = 0 .. $#name if @name;
            next;
        }
        push @row, [split /\t/, $_, -1];
    }
    return (\@row, \%at);
}

sub ranges {
    my ($spec, $row) = @_;
    my %seen;
    my @got = map { my $n = $_; map { "$n $1 $2 $3" if /.*-(\d*),(.*),(.*)/ } answers('ranges', '-s', $spec, '-n', $n) } grep { !$seen{$_}++ } map { $_->[0] } @$row;
    return ([sort @got], [sort map { "@$_[0 .. 3]" } @$row]);
}

sub hashes {
    my ($spec, $transform, @want) = @_;
    my @got = last_fields(answers('hash', '-H', $spec, '--percent', '-f', $keys));
    @want = map { substr $_, 0, $1 } @want if $transform =~ /^prefix(\d+)/;
    $_ = lc s/^0+(?=.)//r for $transform eq 'hex' ? (@got, @want) : ();
    @got = map { sprintf '%u', hex } @got if $transform eq 'decimal';
    return (\@got, \@want);
}

sub owners {
    my ($spec, $nodes, $how, $transform, @want) = @_;
    my @words = ('where', '-s', $spec, '-n', $nodes, '--percent', '-q', '-f', $keys);
    my @got;
    if ($how =~ /^replica.*:(\d+)/) {
        for (answers(@words, '--replicas', $1)) {
            my ($node, $replica) = /.*,([^,]*),(\d*)$/;
            $replica == 1 ? push @got, $node : ($got[-1] .= ",$node");
        }
    } else {
        @got = last_fields(answers(@words, $how eq 'slot' ? '--explain' : ()));
    }
    @$_ = map { join ',', sort split /,/ } @$_ for $how =~ /^replica-set/ ? (\@got, \@want) : ();
    s/.*-// for $transform eq 'node-number' ? @got : ();
    return (\@got, \@want);
}

my $cases = 0;
for my $dir ($ENV{VECTORS} ? split ' ', $ENV{VECTORS} : 'data/vectors') {
    for (split /\n/, slurp("$dir/CASES.tsv")) {
        my ($file, $column, $how, $spec, $nodes, $transform) = split /\t/;
        next if /^#/ || $file !~ /^$only$/;
        next if $sanitized && ++$cases % 3;
        my ($row, $at) = recording("$dir/$file");
        $nodes =~ s{^nodes/}{\@$dir/nodes/};
        spill($keys, join '', map { my ($key, $port) = @$_; ($transform eq 'client-port' && $port != 0 ? "$key:$port" : $key) . "\n" } @$row);
        spill("$scratch/err", '');
        my @want = $how eq 'ranges' ? () : map { $_->[$at->{$column} // die "$file has no column $column\n"] } @$row;
        my ($got, $wanted) = $how eq 'ranges' ? ranges($spec, $row) : $how eq 'hash' ? hashes($spec, $transform, @want) : owners($spec, $nodes, $how, $transform, @want);
        my ($differ) = grep { ($got->[$_] // 'nothing') ne ($wanted->[$_] // 'nothing') } 0 .. ($#$got > $#$wanted ? $#$got : $#$wanted);
        ok(@$wanted && !defined $differ, "$file $column: $spec, " . @$wanted . ' values')
            or diag(defined $differ ? "value $differ: " . ($got->[$differ] // 'nothing') . ', recorded: ' . ($wanted->[$differ] // 'nothing') : 'no rows', slurp("$scratch/err"));
    }
}
done_testing;
