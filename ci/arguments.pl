# arguments.pl - the arguments of the gates: [ROOT], or --help, which is the head of the script itself.
use strict;
use warnings;

# The folder to look at.
sub root_of_arguments {
  my ($default) = @_;
  my ($name) = $0 =~ m{([^/]+)$};
  if (@ARGV && $ARGV[0] =~ /^(-h|--help)$/) {
    open my $self, '<', $0 or die "$name: $0: $!\n";
    <$self>;
    while (<$self>) {
      last unless s/^# ?//;
      print;
    }
    exit 0;
  }
  if (@ARGV > 1 || (@ARGV && ($ARGV[0] =~ /^-/ || !-d $ARGV[0]))) {
    print STDERR "ci/$name: takes one folder at most; try ci/$name --help\n";
    exit 2;
  }
  return @ARGV ? shift @ARGV : $default;
}

1;
