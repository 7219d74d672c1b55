#!/bin/bash
# What is kept is held to what it did; files and manifest that disagree are said in one line.
source "$(dirname "${BASH_SOURCE[0]}")/common.bash" "$@"

"$gcstorm" generate -o made --count 3 --seed 5 >/dev/null
for n in 1 2; do "$gcstorm" show made/seed5-00000$n.bin >p$n.rb; done
bad "no entries" corpus check --corpus kept --sanitizer none
expect 0 "kept kept/ractor_program/seeds/one.rb" corpus add p1.rb --corpus kept --seed one
expect 0 "already kept: kept/ractor_program/seeds/one.rb" corpus add p1.rb --corpus kept --seed two
bad "another program" corpus add p2.rb --corpus kept --seed one
expect 0 "kept kept/ractor_program/regressions/clean-" corpus add made/seed5-000003.bin \
  --corpus kept --source 'a "<&> b'
expect 0 "2 runs, 0 differ" corpus check --corpus kept --sanitizer none --junit out.xml
ruby -rrexml/document -e 'd = REXML::Document.new(File.read("out.xml"))
  exit d.root.elements["testsuite"].attributes["tests"] == "2"' || failures=$((failures + 1))

# Another trace is a difference; JUnit counts it.
manifest=kept/ractor_program/manifest.json
cp $manifest good.json
sed -i 's/"trace_hash": "[0-9a-f]*"/"trace_hash": "0"/' $manifest
expect 1 "2 runs, 2 differ" corpus check --corpus kept --sanitizer none --junit out.xml
ruby -rrexml/document -e 'd = REXML::Document.new(File.read("out.xml"))
  exit d.root.elements["testsuite"].attributes["failures"] == "2"' || failures=$((failures + 1))

echo '{' >$manifest
bad "manifest.json:" corpus check --corpus kept
bad "manifest.json:" corpus add p2.rb --corpus kept --seed three
cp good.json $manifest
echo '# tampered' >>kept/ractor_program/seeds/one.rb
bad "not what was added" corpus check --corpus kept
rm kept/ractor_program/seeds/one.rb
bad "one.rb" corpus check --corpus kept
cp p1.rb kept/ractor_program/seeds/one.rb
cp p2.rb kept/ractor_program/seeds/stray.rb
bad "stray.rb is not in the manifest" corpus check --corpus kept
expect 0 "stray.rb" corpus add kept/ractor_program/seeds/stray.rb --corpus kept --seed stray
expect 0 "3 runs, 0 differ" corpus check --corpus kept --sanitizer none
bad "say check" corpus
bad "small letters" corpus add p1.rb --corpus kept --seed ../x
finish
