# Whether seeds do what they say.  A seed's comments claim at least so much of the trace:
#   # does: ractors 4, received 12, local 3, global 1
#   # refused: value, array_push
# Every other op must succeed.  Arguments: pairs of SEED.rb and its trace (gcstorm run --trace).
require "json"

COUNTS = {
  "ractors" => ->(e) { e["op"] == "ractor_new" && e["error"] == 0 },
  "received" => ->(e) { e["op"].to_s.end_with?("receive") && e["error"] == 0 },
  # 8 is Ractor::RemoteError: the Ractor ended by an exception, and its heap is taken all the same.
  "values" => ->(e) { e["op"] == "value" && [0, 8].include?(e["error"]) },
  "spaces" => ->(e) { e["event"] == "objspace_created" },
  "local" => ->(e) { e["event"] == "local_begin" },
  "major" => ->(e) { e["event"] == "local_begin" && e["b"] != 0 },
  "swept" => ->(e) { e["event"] == "local_swept" },
  "global" => ->(e) { e["event"] == "global_step" && e["a"] == 9 },
  "promoted" => ->(e) { e["event"] == "promoted" },
  "retired" => ->(e) { e["event"] == "objspace_retired" },
  "absorbed" => ->(e) { e["event"] == "absorbed" },
  "stopped" => ->(e) { e["event"] == "world_stopped" },
  "pages_taken" => ->(e) { e["event"] == "page_taken" },
  "pages_given" => ->(e) { e["event"] == "page_given" },
  "out_of_memory" => ->(e) { e["event"] == "out_of_memory" }
}.freeze

# `error` of an op of GC events is 1 when it did something.
def refused?(event, events_dialect)
  return false unless event["op"]

  events_dialect ? event["error"] != 1 : event["error"] != 0 && event["op"] != "raise"
end

def problems(seed, trace)
  text = File.read(seed)
  events = File.foreach(trace).map { |line| JSON.parse(line) }
  claims = text[/^# does: (.*)$/, 1].to_s.split(", ")
  wrong = claims.empty? ? ["no line '# does: …'"] : []
  claims.each do |claim|
    what, least = claim.split
    count = COUNTS.key?(what) ? events.count(&COUNTS[what]) : -1
    wrong << "#{claim}: the trace has #{count}" if count < least.to_i || least.to_i < 1
  end
  refused = text[/^# refused: (.*)$/, 1].to_s.split(", ").sort
  found = events.select { |e| refused?(e, text.include?("gc_events do")) }.map { |e| e["op"] }.uniq.sort
  wrong << "refused: #{found.join(", ")}; the seed says: #{refused.join(", ")}" if found != refused
  wrong
end

failed = false
ARGV.each_slice(2) do |seed, trace|
  problems(seed, trace).each do |problem|
    failed = true
    puts "#{seed}: #{problem}"
  end
end
exit(failed ? 1 : 0)
