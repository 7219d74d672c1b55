# race_records.rb A B CLEAN RACY [FOUND] - the files that A and B, outputs of `gcstorm run --json`, both
# name have the same record in both.  Writes the names of clean files to CLEAN and of the others to
# RACY ("-": nowhere).  FOUND, a fuzz target's record, is that of the one racy file.
require "json"

PLACES = %w[log input].freeze # texts with addresses, and where the file is

def record(finding)
  finding&.reject { |name, _| PLACES.include?(name) }
end

def records(path)
  JSON.parse(File.read(path))["files"].to_h do |file|
    [file["file"], { "finding" => record(file["finding"]), "trace_hash" => file["trace_hash"] }]
  end
end

first, second = ARGV[0, 2].map { |path| records(path) }
common = first.keys & second.keys
abort "no file in common" if common.empty?
different = common.reject { |file| first[file] == second[file] }
different.each { |file| puts "#{file}:", "  #{first[file]}", "  #{second[file]}" }
clean, racy = common.partition { |file| first[file]["finding"].nil? }
[clean, racy].zip(ARGV[2, 2]).each do |files, path|
  File.write(path, files.map { |file| "#{file}\n" }.join) unless path == "-"
end
if ARGV[4]
  wanted = first[racy.first]["finding"]
  found = record(JSON.parse(File.read(ARGV[4])))
  unless found == wanted
    puts "#{racy.first}: the fuzz target says", "  #{found}", "  #{wanted}"
    different << racy.first
  end
end
exit different.empty?
