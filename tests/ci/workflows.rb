# Whether the workflows of .github/workflows can run what they name, and may do no more than they must.
#   ruby workflows.rb ROOT FILE…
require "open3"
require "tempfile"
require "yaml"

ROOT = ARGV.shift

@problems = []

def problem(where, text)
  @problems << "#{where}: #{text}"
end

def check_shell(where, script)
  Tempfile.create("run") do |file|
    file.write(script)
    file.flush
    said, status = Open3.capture2e("bash", "-n", file.path)
    problem(where, "no shell script: #{said.lines.first}") unless status.success?
  end
  problem(where, "an expression in a script: pass it by env") if script.include?("${{")
end

def help(command)
  @help ||= {}
  @help[command] ||= Open3.capture2e("#{ENV.fetch("GCSTORM")} #{command} --help").first
end

def check_commands(where, script)
  flat = script.gsub(/\\\n\s*/, " ")
  flat.scan(%r{(?<![\w./])(ci/[\w-]+)((?: +[^\s;&|]+)*)}) do |path, arguments|
    next problem(where, "no #{path}") unless File.executable?("#{ROOT}/#{path}")

    arguments.scan(/--[a-z-]+/) do |option|
      problem(where, "#{path} does not know #{option}") unless File.read("#{ROOT}/#{path}").include?(option)
    end
  end
  flat.scan(%r{build/gcstorm (\w+(?: check)?)([^|;&]*)}) do |command, arguments|
    arguments.scan(/--[a-z-]+/) do |option|
      next if help(command).include?(option)

      problem(where, "gcstorm #{command} does not know #{option}")
    end
  end
end

def check_step(where, step)
  uses = step["uses"]
  problem(where, "a step has one of uses and run") unless uses.nil? ^ step["run"].nil?
  if uses
    problem(where, "#{uses}: no major version of an action") unless uses.match?(%r{\A[\w-]+(/[\w-]+)+@v\d+\z})
    return unless uses.start_with?("actions/upload-artifact@")

    problem(where, "an artifact must also come from a job that failed") unless step["if"] == "${{ !cancelled() }}"
    problem(where, "an artifact without if-no-files-found") unless step.dig("with", "if-no-files-found")
  elsif step["run"]
    check_shell(where, step["run"])
    check_commands(where, step["run"])
  end
end

def check_job(where, job, names)
  problem(where, "no timeout-minutes") unless job["timeout-minutes"].is_a?(Integer)
  problem(where, "not on debian:12") unless job.dig("container", "image") == "debian:12"
  problem(where, "permissions of its own") if job.key?("permissions")
  Array(job["needs"]).each { |need| problem(where, "needs #{need}, which is no job") unless names.include?(need) }
  job.fetch("steps").each_with_index { |step, index| check_step("#{where}, step #{index + 1}", step) }
end

def check_workflow(path)
  where = File.basename(path)
  workflow = YAML.safe_load(File.read(path))
  problem(where, "permissions are not contents: read") unless workflow["permissions"] == { "contents" => "read" }
  problem(where, "no concurrency group") unless workflow.dig("concurrency", "group")
  problem(where, "scripts are not for bash") unless workflow.dig("defaults", "run", "shell") == "bash"
  problem(where, "starts at nothing") unless workflow[true].is_a?(Hash) # YAML 1.1 reads `on` as true
  workflow.fetch("jobs").each { |name, job| check_job("#{where}, #{name}", job, workflow["jobs"].keys) }
  artifacts = workflow["jobs"].values.flat_map { |job| job["steps"].map { |step| step.dig("with", "name") } }.compact
  problem(where, "two artifacts of one name") if artifacts.uniq.size < artifacts.size
rescue Psych::Exception, KeyError => e
  problem(where, e.message)
end

ARGV.each { |path| check_workflow(path) }
puts @problems
exit(@problems.empty? ? 0 : 1)
