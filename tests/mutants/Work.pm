package Work;

# What the parts of the mutation check share: its folder, whole files, and several processes at a time.
use strict;
use warnings;
use Cwd qw(getcwd);
use Exporter qw(import);
our @EXPORT = qw(work slurp spill in_parallel);

my $folder = getcwd() . '/build/mutants'; # wherever one goes later

sub work { return $folder }
sub slurp { my ($path) = @_; local $/; open my $h, '<', $path or die "$path: $!\n"; return scalar <$h> }
sub spill { my ($path, $text) = @_; open my $h, '>', $path or die "$path: $!\n"; print {$h} $text; close $h or die "$path: $!\n" }

# Does each item of a list in a process of its own, so many at a time, and then what is to be done with what it left.
sub in_parallel {
    my ($jobs, $list, $do, $then) = @_;
    my ($next, %running) = (0);
    while ($next < @$list || %running) {
        while ($next < @$list && keys %running < $jobs) {
            my $item = $list->[$next++];
            my $pid = fork // die "fork: $!\n";
            if (!$pid) {
                $do->($item);
                exit 0;
            }
            $running{$pid} = $item;
        }
        my $item = delete $running{wait()} or next;
        die "mutants: a process broke off\n" if $?;
        $then->($item);
    }
}

1;
